"""The parts of the pytest plugin: isolated TF 1.x graphs, stored traces and values, and `assert_equivalent`."""

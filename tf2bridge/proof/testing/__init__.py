"""What the pytest plugin gives to tests: isolated TF 1.x graphs, stored traces and values, and `assert_equivalent`."""

"""The known reasons why two ops differ: `table` lists them in their order, the other modules find them by subject."""

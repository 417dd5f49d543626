"""Windows and macOS, as far as Linux can play them: for the tests of what is used there, too."""

"""Searches the inputs on which two sides differ most."""

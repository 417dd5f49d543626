"""Requirements that a project lists."""

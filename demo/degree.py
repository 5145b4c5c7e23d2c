"""The credential of the story, which each Faber issues."""

DEGREE = {"name": "Alice Andersen", "age": "28", "degree": "Maths"}
"""The attributes and their values."""

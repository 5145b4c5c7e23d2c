"""The story of a diploma, from the invitation to the refusal."""

from __future__ import annotations

import pathlib

from agency import Agency
from backends import University
from browser import Browser
from story import COLUMNS, Student, tell


def test_a_person_at_a_terminal_gets_a_diploma_and_shows_it(agency: Agency, tmp_path: pathlib.Path) -> None:
    student = Student(tmp_path / "student")
    with University(tmp_path, agency.endpoint) as university:
        tell(agency, Browser(university.endpoint), student)
    shown = [line for line in student.screen if not line.startswith("$")]
    assert [line for line in shown if len(line) > COLUMNS] == []

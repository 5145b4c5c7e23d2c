"""Gives a wheel that has the library in it the tag of its platform, for every Python 3. `make wheel` builds it."""

import pathlib

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel


class WithLibrary(Distribution):
    def has_ext_modules(self) -> bool:
        return (pathlib.Path(__file__).parent / "msdk_vcx" / "libmsdk.so").exists()


class ForEveryPython(bdist_wheel):
    def get_tag(self) -> tuple:
        return ("py3", "none", super().get_tag()[2])


setup(distclass=WithLibrary, cmdclass={"bdist_wheel": ForEveryPython})

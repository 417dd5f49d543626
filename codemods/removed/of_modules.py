"""Modules that Python and other libraries removed, and names of theirs that are elsewhere today.

Sources: PEP 632 (distutils), PEP 594 (most others) and "What's New in Python 3.12" (imp), which say what to use; the
release notes of setuptools 82 and scikit-learn 0.20 and 0.23. nose imports imp, which Python 3.12 removed.
"""

from __future__ import annotations

from codemods.removed.row import Removed, of_kind

_UNUSED = "no program that trains a model uses it"
_BUILDING = "it builds packages; setuptools brings a distutils of its own"

# `parser`, `symbol`, `formatter` and `chunk` are left out: repositories have modules of these names.
MODULES = {
    "distutils": Removed("Python 3.12"),
    "imp": Removed("Python 3.12"),
    "pipes": Removed("Python 3.13"),
    "dummy_threading": Removed("Python 3.9", not_run=_UNUSED),
    "binhex": Removed("Python 3.11", not_run=_UNUSED),
    **of_kind(Removed("Python 3.12", not_run=_UNUSED), ("asynchat", "asyncore", "smtpd")),
    **of_kind(
        Removed("Python 3.13", not_run=_UNUSED),
        (
            "aifc", "audioop", "cgi", "cgitb", "crypt", "imghdr", "mailcap", "nntplib", "sndhdr", "spwd", "sunau",
            "telnetlib", "uu", "xdrlib",
        ),
    ),
}  # fmt: skip
"""Modules of Python that the rule removed-modules treats."""

_AN_INSTALLED_ONE = "another release of the package is installed beside the program, and has it"
OTHERS = {
    "nose": Removed("Python 3.12", hint="pytest", not_rewritten=_AN_INSTALLED_ONE),
    "pkg_resources": Removed("setuptools 82", hint="importlib.metadata", not_rewritten=_AN_INSTALLED_ONE),
    "sklearn.externals.joblib": Removed("scikit-learn 0.23", "joblib"),
    "sklearn.externals.six": Removed("scikit-learn 0.23", "six"),
}
"""Modules of other packages."""

_SELECTION = ("check_cv", "cross_val_predict", "cross_val_score", "permutation_test_score", "train_test_split")
CROSS_VALIDATION = {
    f"sklearn.cross_validation.{name}": Removed("scikit-learn 0.20", f"sklearn.model_selection.{name}")
    for name in _SELECTION
}
"""Functions that kept their arguments; the iterators of that module, such as KFold(n, ...), did not."""

NAMES = {
    "distutils.cmd.Command": Removed("Python 3.12", "setuptools.Command", not_run=_BUILDING),
    **{
        f"distutils.command.{name}.{name}": Removed(
            "Python 3.12", f"setuptools.command.{name}.{name}", not_run=_BUILDING
        )
        for name in ("build", "build_ext", "build_py", "install", "sdist")
    },
    **{
        f"distutils.core.{name}": Removed("Python 3.12", f"setuptools.{name}", not_run=_BUILDING)
        for name in ("Command", "Distribution", "Extension", "setup")
    },
    "distutils.dist.Distribution": Removed("Python 3.12", "setuptools.Distribution", not_run=_BUILDING),
    "distutils.extension.Extension": Removed("Python 3.12", "setuptools.Extension", not_run=_BUILDING),
    "distutils.spawn.find_executable": Removed("Python 3.12", "shutil.which"),
    "distutils.util.get_platform": Removed("Python 3.12", "sysconfig.get_platform"),
    "distutils.version.LooseVersion": Removed("Python 3.12", "packaging.version.Version"),
    "distutils.version.StrictVersion": Removed("Python 3.12", "packaging.version.Version"),
    "imp.new_module": Removed("Python 3.12", "types.ModuleType"),
    "imp.reload": Removed("Python 3.12", "importlib.reload"),
    "pipes.quote": Removed("Python 3.13", "shlex.quote"),
}
"""Names of these modules that stand elsewhere."""

"""Methods that Python removed from classes of its own; `new` is the method that stands for one.

Sources: "What's New in Python" 3.9 and 3.12, "Removed". assertItemsEqual of Python 2 is assertCountEqual since 3.2.
"""

from __future__ import annotations

from codemods.removed.row import Removed, renamed

ASSERTIONS = renamed(
    "Python 3.12",
    {
        "assertAlmostEquals": "assertAlmostEqual",
        "assertEquals": "assertEqual",
        "assertItemsEqual": "assertCountEqual",
        "assertNotAlmostEquals": "assertNotAlmostEqual",
        "assertNotEquals": "assertNotEqual",
        "assertNotRegexpMatches": "assertNotRegex",
        "assertRaisesRegexp": "assertRaisesRegex",
        "assertRegexpMatches": "assertRegex",
        "assert_": "assertTrue",
        "failIf": "assertFalse",
        "failIfEqual": "assertNotEqual",
        "failUnless": "assertTrue",
        "failUnlessEqual": "assertEqual",
        "failUnlessRaises": "assertRaises",
    },
    "unittest.TestCase.",
)
METHODS = {
    "configparser.RawConfigParser.readfp": Removed("Python 3.12", "read_file"),
    "html.parser.HTMLParser.unescape": Removed("Python 3.9", hint="html.unescape"),
    "threading.Thread.isAlive": Removed("Python 3.9", "is_alive"),
    "xml.etree.ElementTree.Element.getchildren": Removed("Python 3.9", hint="list"),
    "xml.etree.ElementTree.Element.getiterator": Removed("Python 3.9", "iter"),
}
"""Methods of other classes; a hint names a function of the object or of the only argument."""

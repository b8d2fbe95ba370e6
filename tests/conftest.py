"""What holds for all tests: commands play interpreted and build nothing, unless a test asks for it."""

import os

os.environ.setdefault("RULEWRIGHT_NATIVE", "0")

"""``python -m pylf`` is the command ``pylf``."""

from __future__ import annotations

import sys

from pylf.cli.main import main

if __name__ == "__main__":
    sys.exit(main())

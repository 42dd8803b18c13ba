"""One layout for the files of the law and for cases: read with every comment, put in order, written, and proved."""

from bridgelaws.formatting.layout import formatted, laid_out_here

__all__ = ["formatted", "laid_out_here"]

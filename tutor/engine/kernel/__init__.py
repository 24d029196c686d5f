"""All compiled code. Importing it compiles nothing; the first call of a driver does, or loads what a cache has."""

from tutor.engine.kernel.cache import cache_folder, kernel_hash, use_cache_folder

use_cache_folder()

__all__ = ["cache_folder", "kernel_hash"]

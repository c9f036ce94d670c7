# The functions of `doubles.py`, in C.

from cpython cimport array
from diplomaccloud.judge.kernel.core.native cimport get_buffer, require_format, require_writable

cdef enum:
    CHANCES = 1073741824


cdef inline double *doubles(list keep, values) except NULL:
    cdef array.array block = array.array("d", values)
    block.append(0)  # so that an empty table has an address
    keep.append(block)
    return block.data.as_doubles


cdef inline open_doubles(buffer):
    view = memoryview(buffer)
    require_format(view, b"d", 8)
    require_writable(view)
    return view


cdef inline double *get_doubles(view) noexcept:
    return <double *>get_buffer(view).buf

# The functions of `buffers.py`, in C.

cdef extern from "Python.h":
    Py_buffer *get_buffer "PyMemoryView_GET_BUFFER"(object view) noexcept


cdef inline open_ints(buffer, bint writable):
    view = memoryview(buffer)
    require_format(view, b"i", 4)
    if writable:
        require_writable(view)
    return view


cdef inline open_seeds(buffer):
    view = memoryview(buffer)
    require_format(view, b"QL", 8)
    require_writable(view)
    return view


cdef inline int require_format(view, const char *formats, int size) except -1:
    cdef Py_buffer *buffer = get_buffer(view)
    cdef bint fits = buffer.ndim == 1 and buffer.itemsize == size and buffer.format != NULL
    if fits:
        fits = buffer.format[0] == formats[0] or buffer.format[0] == formats[1]
    if fits:
        # An array of length 1 counts as contiguous whatever its stride.
        fits = buffer.format[0] != 0 and buffer.format[1] == 0
        if buffer.strides != NULL and buffer.shape[0] > 1 and buffer.strides[0] != size:
            fits = False
    if not fits:
        wanted = chr(formats[0])
        raise ValueError(f"a flat buffer of format {wanted!r} is needed, not {view.format!r}")
    return 0


cdef inline int require_writable(view) except -1:
    if get_buffer(view).readonly:
        raise ValueError("the buffer is read-only")
    return 0


cdef inline int *get_ints(view) noexcept:
    return <int *>get_buffer(view).buf


cdef inline unsigned long long *get_seeds(view) noexcept:
    return <unsigned long long *>get_buffer(view).buf

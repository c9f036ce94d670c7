# The functions of `native.py`, in C.

from cpython cimport array
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

cdef extern from "Python.h":
    Py_buffer *get_buffer "PyMemoryView_GET_BUFFER"(object view) noexcept
    ctypedef struct PyThreadState:
        pass
    PyThreadState *release_lock "PyEval_SaveThread"() noexcept nogil
    void restore_lock "PyEval_RestoreThread"(PyThreadState *thread) noexcept nogil

cdef extern from *:
    """
    #include <structmember.h>
    #if defined(_MSC_VER)
    #include <intrin.h>
    static int kernel_find_lowest(unsigned long long mask) {
        int number = 0;
        while (!(mask >> number & 1)) number++;
        return number;
    }
    static int kernel_count_bits(unsigned long long mask) {
        int count = 0;
        for (; mask; mask &= mask - 1) count++;
        return count;
    }
    #else
    #define kernel_find_lowest(mask) __builtin_ctzll((unsigned long long)(mask))
    #define kernel_count_bits(mask) __builtin_popcountll((unsigned long long)(mask))
    #endif
    #define kernel_bit(number) (1LL << (number))
    static inline int kernel_draw_number(unsigned long long *seeds, long long n, int below) {
        unsigned long long z = seeds[n] += 0x9E3779B97F4A7C15ULL;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
        return (int)(((z ^ z >> 31) >> 32) * (unsigned long long)below >> 32);
    }
    static void kernel_sort_masks(long long *rows, Py_ssize_t size) {
        for (Py_ssize_t k = 1; k < size; k++) {
            long long mask = rows[k];
            Py_ssize_t at = k;
            for (; at > 0 && rows[at - 1] > mask; at--) rows[at] = rows[at - 1];
            rows[at] = mask;
        }
    }
    static int kernel_are_slots(PyObject *kind, PyObject *fields) {
        Py_ssize_t size = PyTuple_GET_SIZE(fields);
        for (Py_ssize_t k = 0; k < size; k++)
            if (Py_TYPE(PyTuple_GET_ITEM(fields, k)) != &PyMemberDescr_Type) return 0;
        return ((PyTypeObject *)kind)->tp_basicsize ==
            (Py_ssize_t)(sizeof(PyObject) + size * sizeof(PyObject *));
    }
    static inline PyObject *kernel_read_field(PyObject *value, PyObject *field) {
        PyObject *held = NULL;
        if (Py_TYPE(value) == PyDescr_TYPE(field))
            held = *(PyObject **)(
                (char *)value + ((PyMemberDescrObject *)field)->d_member->offset
            );
        if (held == NULL)  // an error, or a value of a class made from the field's
            return Py_TYPE(field)->tp_descr_get(field, value, (PyObject *)Py_TYPE(value));
        Py_INCREF(held);
        return held;
    }
    static PyObject *kernel_set_fields(PyObject *kind, PyObject *fields, PyObject *values) {
        PyObject *made = ((PyTypeObject *)kind)->tp_alloc((PyTypeObject *)kind, 0);
        for (Py_ssize_t k = 0; made != NULL && k < PyTuple_GET_SIZE(fields); k++) {
            PyMemberDescrObject *field = (PyMemberDescrObject *)PyTuple_GET_ITEM(fields, k);
            PyObject *value = PyTuple_GET_ITEM(values, k);
            Py_INCREF(value);
            *(PyObject **)((char *)made + field->d_member->offset) = value;
        }
        return made;
    }
    static PyObject *kernel_build_value(
        PyObject *kind, PyObject *fields, PyObject **values, Py_ssize_t count
    ) {
        // Orders hold no lists, so that the collector of garbage need not track them.
        PyObject *made = PyType_IS_GC((PyTypeObject *)kind)
            ? PyObject_GC_New(PyObject, (PyTypeObject *)kind)
            : ((PyTypeObject *)kind)->tp_alloc((PyTypeObject *)kind, 0);
        for (Py_ssize_t k = 0; made != NULL && k < count; k++) {
            PyMemberDescrObject *field = (PyMemberDescrObject *)PyTuple_GET_ITEM(fields, k);
            Py_INCREF(values[k]);
            *(PyObject **)((char *)made + field->d_member->offset) = values[k];
        }
        return made;
    }
    """
    bint are_slots "kernel_are_slots"(object kind, object fields) noexcept
    object read_field "kernel_read_field"(object value, object field)
    tuple open_values "PyTuple_New"(Py_ssize_t size)
    void set_item "PyTuple_SET_ITEM"(object values, Py_ssize_t at, PyObject *value) noexcept
    object set_fields "kernel_set_fields"(object kind, object fields, object values)
    object build_fields "kernel_build_value"(
        object kind, object fields, PyObject **values, Py_ssize_t count
    )
    void sort_masks "kernel_sort_masks"(long long *rows, Py_ssize_t size) noexcept nogil
    int find_lowest "kernel_find_lowest"(long long mask) noexcept nogil
    int count_bits "kernel_count_bits"(long long mask) noexcept nogil
    long long bit "kernel_bit"(int number) noexcept nogil
    int draw_number "kernel_draw_number"(
        unsigned long long *seeds, long long n, int below
    ) noexcept nogil


cdef inline int *ints(list keep, values) except NULL:
    cdef array.array block = array.array("i", values)
    block.append(0)  # so that an empty table has an address
    keep.append(block)
    return block.data.as_ints


cdef inline long long *masks(list keep, values) except NULL:
    cdef array.array block = array.array("q", values)
    block.append(0)
    keep.append(block)
    return <long long *>block.data.as_voidptr


cdef inline int *no_ints() noexcept nogil:
    return NULL


cdef inline long long *no_masks() noexcept nogil:
    return NULL


cdef inline int *grow_ints(int *rows, Py_ssize_t size) noexcept nogil:
    return <int *>realloc(rows, size * sizeof(int))


cdef inline long long *grow_masks(long long *rows, Py_ssize_t size) noexcept nogil:
    return <long long *>realloc(rows, size * sizeof(long long))


cdef inline array.array copy_ints(int *rows, Py_ssize_t size):
    cdef array.array block = array.clone(array.array("i"), size, False)
    if size:
        memcpy(block.data.as_ints, rows, size * sizeof(int))
    return block


cdef inline bytes copy_bytes(int *rows, Py_ssize_t size):
    return (<char *>rows)[: size * sizeof(int)]


cdef inline void fill(int *target, Py_ssize_t at, Py_ssize_t size, int value) noexcept nogil:
    memset(target + at, value, size * sizeof(int))


cdef inline void copy(
    int *target, Py_ssize_t at, const int *source, Py_ssize_t start, Py_ssize_t size
) noexcept nogil:
    memcpy(target + at, source + start, size * sizeof(int))


cdef inline void free_ints(int *rows) noexcept:
    free(rows)


cdef inline void free_masks(long long *rows) noexcept:
    free(rows)


cdef inline tuple find_fields(kind):
    fields = tuple([getattr(kind, name) for name in kind.__match_args__])
    if not are_slots(kind, fields):
        raise TypeError(f"{kind.__name__} has no slots for its fields")
    return fields


cdef inline build_value(kind, tuple fields, first, second, third, fourth):
    cdef PyObject *values[4]
    values[0] = <PyObject *>first
    values[1] = <PyObject *>second
    values[2] = <PyObject *>third
    values[3] = <PyObject *>fourth
    return build_fields(kind, fields, values, len(fields))


cdef inline void put_value(tuple values, Py_ssize_t at, value) noexcept:
    Py_INCREF(value)
    set_item(values, at, <PyObject *>value)


cdef inline tuple close_values(tuple values):
    return values


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

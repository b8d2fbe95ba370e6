/* The fields of a state ↔ numbers, and lists that show what the state holds. */

#define RW_FIELDS ((int)(sizeof rw_fields / sizeof *rw_fields))

typedef struct { PyObject_HEAD rw_state state; } rw_object;
/* the entries of an array of a state; they are read and set in the state itself */
typedef struct { PyObject_HEAD rw_object *owner; const rw_field *field; } rw_cells;
static PyTypeObject *rw_type, *rw_asking_type, *rw_cells_type;

/* ---------------------------------------------------------------- numbers and sets */

static PyObject *rw_from_number(const void *p, int bytes) {
    switch (bytes) {
    case 1: { int8_t v; memcpy(&v, p, 1); return PyLong_FromLong(v); }
    case 2: { int16_t v; memcpy(&v, p, 2); return PyLong_FromLong(v); }
    case 4: { int32_t v; memcpy(&v, p, 4); return PyLong_FromLong(v); }
    }
    int64_t v; memcpy(&v, p, 8);
    return PyLong_FromLongLong(v);
}
static PyObject *rw_from_members(const void *p, int bytes) {
    if (bytes <= 8) {
        uint64_t v = 0; memcpy(&v, p, (size_t)bytes);
        return PyLong_FromUnsignedLongLong(v);
    }
    const unsigned char *b = p;
    while (bytes > 8 && !b[bytes - 1]) bytes--;
    if (bytes <= 8) return rw_from_members(p, 8);
    return PyObject_CallMethod((PyObject *)&PyLong_Type, "from_bytes", "y#s", (const char *)p, (Py_ssize_t)bytes, "little");
}
/* -1 with an error where the value has no room */
static int rw_put_value(void *p, PyObject *value, int bytes, bool is_signed) {
    if (!PyLong_Check(value)) {
        PyErr_Format(PyExc_TypeError, "a field of a state is a whole number, not %.80s", Py_TYPE(value)->tp_name);
        return -1;
    }
    if (is_signed) {
        int over;
        long long v = PyLong_AsLongLongAndOverflow(value, &over);
        int bits = 8 * bytes - 1;
        if (over || (bytes < 8 && (v >> bits) != 0 && (v >> bits) != -1)) {
            PyErr_SetString(PyExc_OverflowError, "a number that has no room in the state");
            return -1;
        }
        memcpy(p, &v, (size_t)bytes);
        return 0;
    }
    PyObject *method = PyObject_GetAttrString(value, "to_bytes");
    PyObject *got = method ? PyObject_CallFunction(method, "is", bytes, "little") : NULL;
    Py_XDECREF(method);
    if (!got) return -1;
    memcpy(p, PyBytes_AS_STRING(got), (size_t)bytes);
    Py_DECREF(got);
    return 0;
}

/* ---------------------------------------------------------------- lists */

/* where the entries of a list begin: after the count, where a set needs it on a whole word */
static char *rw_list_start(void *p, const rw_field *f) { return (char *)p + (f->bytes >= 8 ? 8 : 4); }

static PyObject *rw_from_list(void *p, const rw_field *f) {
    int32_t n; memcpy(&n, p, 4);
    PyObject *list = PyList_New(n);
    for (int32_t i = 0; list && i < n; i++) {
        char *at = rw_list_start(p, f) + i * f->bytes;
        PyObject *v = f->kind == RW_LIST ? rw_from_number(at, f->bytes) : rw_from_members(at, f->bytes);
        if (!v) { Py_CLEAR(list); break; }
        PyList_SET_ITEM(list, i, v);
    }
    return list;
}
static int rw_put_list(void *p, PyObject *value, const rw_field *f) {
    PyObject *all = PySequence_Fast(value, "a list is expected");
    if (!all) return -1;
    Py_ssize_t n = PySequence_Fast_GET_SIZE(all);
    char *copy = n > f->room ? NULL : calloc(1, f->step);
    int done = copy ? 0 : -1;
    if (n > f->room) PyErr_Format(PyExc_ValueError, "%zd entries, but there is room for %lld", n, (long long)f->room);
    else if (!copy) PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n && !done; i++)
        done = rw_put_value(rw_list_start(copy, f) + i * f->bytes, PySequence_Fast_GET_ITEM(all, i), f->bytes, f->kind == RW_LIST);
    if (!done) {
        /* whole or not at all */
        int32_t count = (int32_t)n; memcpy(copy, &count, 4);
        memcpy(p, copy, f->step);
    }
    free(copy);
    Py_DECREF(all);
    return done;
}

/* ---------------------------------------------------------------- one value of a field */

static PyObject *rw_get_one(void *p, const rw_field *f) {
    switch (f->kind) {
    case RW_NUMBER: return rw_from_number(p, f->bytes);
    case RW_MEMBERS: return rw_from_members(p, f->bytes);
    case RW_OPTIONS: return rw_from_members(p, f->bytes);
    }
    return rw_from_list(p, f);
}
static int rw_put_one(void *p, PyObject *value, const rw_field *f) {
    if (f->kind == RW_LIST || f->kind == RW_LIST_OF_SETS) return rw_put_list(p, value, f);
    return rw_put_value(p, value, f->bytes, f->kind == RW_NUMBER);
}

static PyObject *rw_get_field(PyObject *self, void *closure) {
    const rw_field *f = closure;
    rw_state *s = &((rw_object *)self)->state;
    if (f->kind == RW_OPTIONS) return rw_from_members(rw_opts(s), 8 * rw_words_at(s->x_pc));
    if (f->length < 0) return rw_get_one((char *)s + f->at, f);
    rw_cells *cells = PyObject_New(rw_cells, rw_cells_type);
    if (!cells) return NULL;
    Py_INCREF(self);
    cells->owner = (rw_object *)self; cells->field = f;
    return (PyObject *)cells;
}
static int rw_set_field(PyObject *self, PyObject *value, void *closure) {
    const rw_field *f = closure;
    char *at = (char *)&((rw_object *)self)->state + f->at;
    if (!value) { PyErr_SetString(PyExc_AttributeError, "a field of a state can't be deleted"); return -1; }
    if (f->length < 0) return rw_put_one(at, value, f);
    PyObject *all = PySequence_Fast(value, "a list is expected");
    if (!all) return -1;
    int done = 0;
    if (PySequence_Fast_GET_SIZE(all) != f->length) {
        PyErr_Format(PyExc_ValueError, "%s has %lld entries", f->name, (long long)f->length);
        done = -1;
    }
    for (int64_t i = 0; !done && i < f->length; i++) done = rw_put_one(at + (size_t)i * f->step, PySequence_Fast_GET_ITEM(all, i), f);
    Py_DECREF(all);
    return done;
}

/* ---------------------------------------------------------------- the entries of an array */

static void rw_cells_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    Py_DECREF(((rw_cells *)self)->owner);
    PyObject_Free(self);
    Py_DECREF(type);
}
static Py_ssize_t rw_cells_length(PyObject *self) { return (Py_ssize_t)((rw_cells *)self)->field->length; }
static PyObject *rw_cells_item(PyObject *self, Py_ssize_t i) {
    rw_cells *c = (rw_cells *)self;
    if (i < 0 || i >= c->field->length) { PyErr_SetString(PyExc_IndexError, "list index out of range"); return NULL; }
    return rw_get_one((char *)&c->owner->state + c->field->at + (size_t)i * c->field->step, c->field);
}
static int rw_cells_put(PyObject *self, Py_ssize_t i, PyObject *value) {
    rw_cells *c = (rw_cells *)self;
    if (i < 0 || i >= c->field->length) { PyErr_SetString(PyExc_IndexError, "list assignment index out of range"); return -1; }
    if (!value) { PyErr_SetString(PyExc_TypeError, "entries of a state can't be deleted"); return -1; }
    return rw_put_one((char *)&c->owner->state + c->field->at + (size_t)i * c->field->step, value, c->field);
}
static PyObject *rw_cells_get(PyObject *self, PyObject *key) {
    if (PySlice_Check(key)) {
        PyObject *all = PySequence_List(self);
        PyObject *found = all ? PyObject_GetItem(all, key) : NULL;
        Py_XDECREF(all);
        return found;
    }
    Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (i == -1 && PyErr_Occurred()) return NULL;
    return rw_cells_item(self, i < 0 ? i + rw_cells_length(self) : i);
}
static int rw_cells_set(PyObject *self, PyObject *key, PyObject *value) {
    Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (i == -1 && PyErr_Occurred()) return -1;
    return rw_cells_put(self, i < 0 ? i + rw_cells_length(self) : i, value);
}
static PyObject *rw_cells_repr(PyObject *self) {
    PyObject *all = PySequence_List(self), *text = all ? PyObject_Repr(all) : NULL;
    Py_XDECREF(all);
    return text;
}
static PyObject *rw_cells_compare(PyObject *self, PyObject *other, int op) {
    PyObject *a = PySequence_List(self), *b = Py_TYPE(other) == Py_TYPE(self) ? PySequence_List(other) : Py_NewRef(other);
    PyObject *found = a && b ? PyObject_RichCompare(a, b, op) : NULL;
    Py_XDECREF(a); Py_XDECREF(b);
    return found;
}
static PyType_Slot rw_cells_slots[] = {
    {Py_tp_dealloc, rw_cells_dealloc}, {Py_tp_repr, rw_cells_repr}, {Py_tp_richcompare, rw_cells_compare},
    {Py_tp_hash, PyObject_HashNotImplemented},
    {Py_sq_length, rw_cells_length}, {Py_sq_item, rw_cells_item}, {Py_sq_ass_item, rw_cells_put},
    {Py_mp_length, rw_cells_length}, {Py_mp_subscript, rw_cells_get}, {Py_mp_ass_subscript, rw_cells_set},
    {0, NULL},
};
static PyType_Spec rw_cells_spec = {"rulewright.native.Cells", sizeof(rw_cells), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, rw_cells_slots};

package aidb.recorder;

/** The field whose writes are recorded. The class that has it is known by its name: it may be loaded several times. */
record LiveField(String type, String name, String descriptor) {
    /** Whether code that names a class for the field means this one: the class itself, or one that extends it. */
    boolean isOf(String owner, ClassLoader loader) {
        if (owner.replace('/', '.').equals(type)) {
            return true;
        }
        for (Class<?> c : Live.known(owner.replace('/', '.'))) {
            for (Class<?> up = c; up != null; up = up.getSuperclass()) {
                if (up.getName().equals(type)) {
                    return true;
                }
            }
        }
        return false;
    }
}

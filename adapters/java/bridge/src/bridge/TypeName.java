package bridge;

import java.util.List;

/** A type as it is written: a name, maybe with packages, and how many dimensions of an array. */
record TypeName(String name, int dimensions) {
    private static final List<String> PRIMITIVES = List.of("boolean", "byte", "char", "short", "int", "long", "float", "double");

    static boolean primitive(String name) {
        return PRIMITIVES.contains(name);
    }

    boolean primitive() {
        return dimensions == 0 && primitive(name);
    }

    @Override
    public String toString() {
        return name + "[]".repeat(dimensions);
    }
}

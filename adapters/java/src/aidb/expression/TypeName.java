package aidb.expression;

import java.util.List;

/** A type as it is written: a name, maybe with packages, and how many dimensions of an array. */
public record TypeName(String name, int dimensions) {
    private static final List<String> PRIMITIVES = List.of("boolean", "byte", "char", "short", "int", "long", "float", "double");

    public static boolean primitive(String name) {
        return PRIMITIVES.contains(name);
    }

    public boolean primitive() {
        return dimensions == 0 && primitive(name);
    }

    @Override
    public String toString() {
        return name + "[]".repeat(dimensions);
    }
}

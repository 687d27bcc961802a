package aidb.bridge;

import aidb.expression.TypeName;
import aidb.text.Failure;
import com.sun.jdi.ArrayReference;
import com.sun.jdi.ArrayType;
import com.sun.jdi.ClassNotLoadedException;
import com.sun.jdi.ClassObjectReference;
import com.sun.jdi.ClassType;
import com.sun.jdi.InvalidTypeException;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Types by the names that people write. */
final class Types {
    private Types() {}

    static ReferenceType need(Context c, String name) {
        ReferenceType type = find(c, name);
        if (type == null) {
            throw new Failure("there is no class %s in the program; write it with its package", name);
        }
        return type;
    }

    /** The type of a simple or full name as the frame's class sees it; null when there is none. */
    static ReferenceType find(Context c, String name) {
        Set<String> candidates = candidates(c, name);
        for (String candidate : candidates) {
            List<ReferenceType> loaded = c.vm().classesByName(candidate);
            if (!loaded.isEmpty()) {
                return nearest(loaded, c.here());
            }
        }
        if (!Character.isUpperCase(name.charAt(name.lastIndexOf('.') + 1))) {
            return null; // by the custom of the language a package or a variable
        }
        for (String candidate : candidates) {
            ReferenceType type = load(c, candidate);
            if (type != null) {
                return type;
            }
        }
        return null;
    }

    private static ReferenceType nearest(List<ReferenceType> types, ReferenceType here) {
        for (ReferenceType type : types) {
            if (java.util.Objects.equals(type.classLoader(), here.classLoader())) {
                return type;
            }
        }
        return types.get(0);
    }

    /** Full names that a name may stand for, the likeliest first. */
    private static Set<String> candidates(Context c, String name) {
        Set<String> names = new LinkedHashSet<>();
        String inner = name.replace('.', '$');
        String here = c.here().name();
        for (String outer = here; !outer.isEmpty(); outer = outer.contains("$") ? outer.substring(0, outer.lastIndexOf('$')) : "") {
            names.add(outer + "$" + inner);
            if (outer.equals(name) || Names.simple(outer).equals(name)) {
                names.add(outer);
            }
        }
        int dot = here.lastIndexOf('.');
        names.add(dot < 0 ? inner : here.substring(0, dot + 1) + inner);
        String first = name.contains(".") ? name.substring(0, name.indexOf('.')) : name;
        String rest = inner.substring(first.length());
        for (String imported : c.machine().sources.imports(c.here())) {
            if (imported.endsWith(".*")) {
                names.add(imported.substring(0, imported.length() - 1) + inner);
            } else if (imported.endsWith("." + first)) {
                names.add(imported + rest);
            }
        }
        names.add("java.lang." + inner);
        names.add("java.util." + inner);
        for (String full = name; ; ) { // java.util.Map.Entry is java.util.Map$Entry
            names.add(full);
            int last = full.lastIndexOf('.');
            if (last < 0) {
                return names;
            }
            full = full.substring(0, last) + "$" + full.substring(last + 1);
        }
    }

    private static ReferenceType load(Context c, String name) {
        ReferenceType type = c.vm().classesByName("java.lang.Class").get(0);
        for (Method forName : type.methodsByName("forName")) {
            if (forName.argumentTypeNames().size() == 3) {
                try {
                    Value made = c.invoke(null, type, forName, Arrays.asList(c.text(name), c.mirror(true), c.here().classLoader()), 0);
                    return made instanceof ClassObjectReference found ? found.reflectedType() : null;
                } catch (Failure e) {
                    return null;
                }
            }
        }
        return null;
    }

    /** The class around a nested one, null at the outermost or when it is not loaded. */
    static ReferenceType around(Context c, ReferenceType type) {
        int dollar = type.name().lastIndexOf('$');
        if (dollar < 0) {
            return null;
        }
        List<ReferenceType> outer = c.vm().classesByName(type.name().substring(0, dollar));
        return outer.isEmpty() ? null : outer.get(0);
    }

    /** Sees to it that a class has run its static code. */
    static void initialise(Context c, ReferenceType type) {
        if (!type.isInitialized() && type instanceof ClassType) {
            load(c, type.name());
        }
    }

    /** The full name of a type as it is written. */
    static String full(Context c, TypeName type) {
        String name = TypeName.primitive(type.name()) ? type.name() : need(c, type.name()).name();
        return name + "[]".repeat(type.dimensions());
    }

    static ArrayReference array(Context c, TypeName type, int length) {
        if (length < 0) {
            throw new Failure("an array cannot have %d elements", length);
        }
        return c.keep(arrayType(c, full(c, type)).newInstance(length));
    }

    static ArrayReference array(Context c, TypeName type, List<Value> elements) {
        String full = full(c, type);
        return array(c, full.substring(0, full.length() - 2), elements);
    }

    static ArrayReference array(Context c, String element, List<Value> elements) {
        ArrayReference array = c.keep(arrayType(c, element + "[]").newInstance(elements.size()));
        List<Value> fitted = new ArrayList<>();
        for (Value value : elements) {
            fitted.add(Calls.fit(c, value, element));
        }
        try {
            if (!fitted.isEmpty()) {
                array.setValues(fitted);
            }
        } catch (InvalidTypeException | ClassNotLoadedException e) {
            throw new Failure("an element does not fit into an array of %s", element);
        }
        return array;
    }

    private static ArrayType arrayType(Context c, String name) {
        List<ReferenceType> loaded = c.vm().classesByName(name);
        if (!loaded.isEmpty()) {
            return (ArrayType) loaded.get(0);
        }
        int dimensions = 0;
        String element = name;
        for (; element.endsWith("[]"); dimensions++) {
            element = element.substring(0, element.length() - 2);
        }
        ReferenceType made = load(c, "[".repeat(dimensions) + code(element));
        if (made instanceof ArrayType array) {
            return array;
        }
        throw new Failure("arrays of %s cannot be made here", element);
    }

    private static String code(String element) {
        int primitive = List.of("boolean", "byte", "char", "short", "int", "long", "float", "double").indexOf(element);
        return primitive < 0 ? "L" + element + ";" : "ZBCSIJFD".substring(primitive, primitive + 1);
    }
}

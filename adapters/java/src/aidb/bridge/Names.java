package aidb.bridge;

import aidb.text.Closest;
import aidb.text.Failure;
import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.ClassNotLoadedException;
import com.sun.jdi.ClassType;
import com.sun.jdi.Field;
import com.sun.jdi.InvalidTypeException;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.Value;
import java.util.ArrayList;
import java.util.List;

/** What names of variables and fields mean in a frame. */
final class Names {
    private Names() {}

    /** The name of a class without its packages: Shop.Item. */
    static String simple(String type) {
        int lambda = type.indexOf("$$Lambda");
        String plain = lambda < 0 ? type : type.substring(0, lambda) + ".lambda";
        int dot = plain.lastIndexOf('.', lambda < 0 ? plain.length() : lambda - 1);
        return plain.substring(dot + 1).replace('$', '.');
    }

    /** A place that a field is at: of an object, or of a class when it is static. */
    record Place(ObjectReference on, ReferenceType type, Field field) {
        Value get() {
            return field.isStatic() ? type.getValue(field) : on.getValue(field);
        }

        Value set(Context c, Value v) {
            if (field.isFinal()) {
                throw new Failure("%s is final", field.name());
            }
            try {
                Value fit = Calls.fit(c, v, field.typeName());
                if (!field.isStatic()) {
                    on.setValue(field, fit);
                } else if (field.declaringType() instanceof ClassType owner) {
                    owner.setValue(field, fit);
                }
                return get();
            } catch (InvalidTypeException | ClassNotLoadedException e) {
                throw wrongType(c, v, field.typeName());
            }
        }
    }

    static Failure wrongType(Context c, Value v, String wanted) {
        return new Failure("%s is not a %s", v == null ? "null" : "a value of type " + simple(v.type().name()), simple(wanted));
    }

    /** "arg1" in a frame that was compiled without the names of its variables. */
    static Integer argument(String name, Context c) {
        if (!name.matches("arg\\d+")) {
            return null;
        }
        int n = Integer.parseInt(name.substring(3));
        return n < Context.arguments(c.frame()).size() ? n : null;
    }

    /** A field by its bare name: of this object, of the classes around it, captured, or static. */
    static Place place(Context c, String name) {
        for (ObjectReference on = c.self(); on != null; on = outer(on)) {
            Field field = on.referenceType().fieldByName(name);
            if (field == null) {
                field = on.referenceType().fieldByName("val$" + name);
            }
            if (field != null) {
                return new Place(on, field.declaringType(), field);
            }
        }
        for (ReferenceType type = c.here(); type != null; type = Types.around(c, type)) {
            Field field = type.fieldByName(name);
            if (field != null && field.isStatic()) {
                return new Place(null, field.declaringType(), field);
            }
        }
        return null;
    }

    /** The object of the class around an inner one. */
    static ObjectReference outer(ObjectReference inner) {
        for (Field field : inner.referenceType().allFields()) {
            if (field.isSynthetic() && field.name().startsWith("this$")) {
                return (ObjectReference) inner.getValue(field);
            }
        }
        return null;
    }

    static Failure unknown(Context c, String name) {
        List<String> known = new ArrayList<>();
        try {
            c.frame().visibleVariables().forEach(v -> known.add(v.name()));
        } catch (AbsentInformationException e) {
            if (c.frame().location().method().isObsolete()) {
                return new Failure("there is no %s to be seen: this call runs code that has been replaced", name);
            }
            if (Sources.library(c.here().name())) {
                return new Failure("there is no %s in %s, which is library code", name, simple(c.here().name()));
            }
            return new Failure("there is no %s here: %s was compiled without -g, which leaves its local variables without names", name, simple(c.here().name()));
        }
        c.here().allFields().stream().filter(f -> !f.isSynthetic()).forEach(f -> known.add(f.name()));
        return new Failure("there is no %s here%s", name, Closest.meant(name, known));
    }

    /** The object of a class around this one's: Shop.this. */
    static Value around(Context c, ReferenceType type) {
        ObjectReference object = c.self();
        while (object != null && Calls.distance(object.type(), type.name()) < 0) {
            Field outer = object.referenceType().fields().stream().filter(f -> f.name().startsWith("this$")).findFirst().orElse(null);
            object = outer == null ? null : (ObjectReference) object.getValue(outer);
        }
        if (object == null) {
            throw new Failure("there is no %s.this here", simple(type.name()));
        }
        return object;
    }

    /** A field of an object. */
    static Place place(Value of, String name) {
        if (of == null) {
            throw new Failure("%s cannot be read: the value before it is null", name);
        }
        if (!(of instanceof ObjectReference object)) {
            throw new Failure("a %s has no fields", of.type().name());
        }
        Field field = object.referenceType().fieldByName(name);
        if (field == null) {
            throw noField(object.referenceType(), name);
        }
        return new Place(object, field.declaringType(), field);
    }

    /** A static field. */
    static Place fixed(Context c, ReferenceType type, String name) {
        Field field = type.fieldByName(name);
        if (field == null) {
            throw noField(type, name);
        }
        if (!field.isStatic()) {
            throw new Failure("%s is a field of the objects of %s, not of the class", name, simple(type.name()));
        }
        Types.initialise(c, type);
        return new Place(null, field.declaringType(), field);
    }

    private static Failure noField(ReferenceType type, String name) {
        List<String> known = type.allFields().stream().filter(f -> !f.isSynthetic()).map(Field::name).toList();
        String call = type.methodsByName(name).isEmpty() ? "" : "; the method is called with " + name + "()";
        return new Failure("%s has no field %s%s%s", simple(type.name()), name, call, Closest.meant(name, known));
    }
}

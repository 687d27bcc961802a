package aidb.bridge;

import aidb.text.Closest;
import aidb.text.Failure;
import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.ArrayReference;
import com.sun.jdi.ClassNotLoadedException;
import com.sun.jdi.ClassType;
import com.sun.jdi.Field;
import com.sun.jdi.InvalidTypeException;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.Value;
import java.util.ArrayList;
import java.util.List;

/** Expressions that name something: variables, fields, elements, calls, types. */
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

    /** A name that stands alone. */
    record Name(String name) implements Expr {
        @Override
        public Value value(Context c) {
            LocalVariable local = c.variable(name);
            if (local != null) {
                return c.frame().getValue(local);
            }
            Place place = Names.place(c, name);
            if (place != null) {
                return place.get();
            }
            Integer argument = argument(name, c);
            if (argument != null) {
                return Context.arguments(c.frame()).get(argument);
            }
            if (type(c) != null) {
                throw new Failure("%s is a type, not a value", name);
            }
            throw unknown(c, name);
        }

        @Override
        public Place place(Context c) {
            if (c.variable(name) != null) {
                throw new Failure("%s is a local variable: only fields can be watched", name);
            }
            return Names.place(c, name);
        }

        @Override
        public ReferenceType type(Context c) {
            return c.variable(name) == null && Names.place(c, name) == null ? Types.find(c, name) : null;
        }

        @Override
        public Value assign(Context c, Value v) {
            LocalVariable local = c.variable(name);
            if (local == null) {
                Place place = Names.place(c, name);
                if (place == null) {
                    throw unknown(c, name);
                }
                return place.set(c, v);
            }
            try {
                Value fit = Calls.fit(c, v, local.typeName());
                c.frame().setValue(c.variable(name), fit);
                return c.frame().getValue(c.variable(name));
            } catch (InvalidTypeException | ClassNotLoadedException e) {
                throw wrongType(c, v, local.typeName());
            }
        }
    }

    /** "arg1" in a frame that was compiled without the names of its variables. */
    private static Integer argument(String name, Context c) {
        if (!name.matches("arg\\d+")) {
            return null;
        }
        int n = Integer.parseInt(name.substring(3));
        return n < Context.arguments(c.frame()).size() ? n : null;
    }

    /** A field by its bare name: of this object, of the classes around it, captured, or static. */
    private static Place place(Context c, String name) {
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

    private static Failure unknown(Context c, String name) {
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
    private static Value around(Context c, ReferenceType type) {
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

    /** A field of a value, a static field of a type, or a longer name of a type. */
    record Member(Expr on, String name) implements Expr {
        @Override
        public Value value(Context c) {
            ReferenceType type = on.type(c);
            if (type != null && name.equals("this")) {
                return around(c, type);
            }
            if (type == null) {
                if (packaged() != null && head(c) == null) {
                    throw new Failure("there is no %s here", packaged());
                }
                Value of = on.value(c);
                if (of instanceof ArrayReference array && name.equals("length")) {
                    return c.mirror(array.length());
                }
                return place(c, of).get();
            }
            return fixed(c, type).get();
        }

        @Override
        public ReferenceType type(Context c) {
            String whole = packaged();
            if (whole == null || head(c) != null) {
                return null;
            }
            ReferenceType outer = on.type(c);
            if (outer != null && outer.fieldByName(name) != null) {
                return null;
            }
            return Types.find(c, whole);
        }

        @Override
        public Value assign(Context c, Value v) {
            return place(c).set(c, v);
        }

        @Override
        public Place place(Context c) {
            ReferenceType type = on.type(c);
            return type == null ? place(c, on.value(c)) : fixed(c, type);
        }

        /** The variable that a dotted name begins with, null when there is none. */
        private Object head(Context c) {
            Expr first = on;
            while (first instanceof Member member) {
                first = member.on;
            }
            String word = ((Name) first).name;
            Object local = c.variable(word);
            return local != null ? local : Names.place(c, word);
        }

        /** The dotted name that this is; null when it hangs on something else. */
        private String packaged() {
            if (name.equals("this")) {
                return null;
            }
            if (on instanceof Name first) {
                return first.name + "." + name;
            }
            String before = on instanceof Member member ? member.packaged() : null;
            return before == null ? null : before + "." + name;
        }

        private Place place(Context c, Value of) {
            if (of == null) {
                throw new Failure("%s cannot be read: the value before it is null", name);
            }
            if (!(of instanceof ObjectReference object)) {
                throw new Failure("a %s has no fields", of.type().name());
            }
            Field field = object.referenceType().fieldByName(name);
            if (field == null) {
                throw noField(object.referenceType());
            }
            return new Place(object, field.declaringType(), field);
        }

        private Place fixed(Context c, ReferenceType type) {
            Field field = type.fieldByName(name);
            if (field == null) {
                throw noField(type);
            }
            if (!field.isStatic()) {
                throw new Failure("%s is a field of the objects of %s, not of the class", name, simple(type.name()));
            }
            Types.initialise(c, type);
            return new Place(null, field.declaringType(), field);
        }

        private Failure noField(ReferenceType type) {
            List<String> known = type.allFields().stream().filter(f -> !f.isSynthetic()).map(Field::name).toList();
            String call = type.methodsByName(name).isEmpty() ? "" : "; the method is called with " + name + "()";
            return new Failure("%s has no field %s%s%s", simple(type.name()), name, call, Closest.meant(name, known));
        }
    }

    /** An element of an array. Lists and maps are asked through get. */
    record Element(Expr on, Expr index) implements Expr {
        @Override
        public Value value(Context c) {
            ArrayReference array = array(c);
            return array.getValue(checked(c, array));
        }

        @Override
        public Value assign(Context c, Value v) {
            ArrayReference array = array(c);
            int i = checked(c, array);
            String element = array.type().name().replaceFirst("\\[]$", "");
            try {
                array.setValue(i, Calls.fit(c, v, element));
            } catch (InvalidTypeException | ClassNotLoadedException e) {
                throw wrongType(c, v, element);
            }
            return array.getValue(i);
        }

        private ArrayReference array(Context c) {
            Value of = on.value(c);
            if (of instanceof ArrayReference array) {
                return array;
            }
            if (of == null) {
                throw new Failure("null has no elements");
            }
            throw new Failure("a %s is no array; a list or a map is asked with .get(…)", simple(of.type().name()));
        }

        private int checked(Context c, ArrayReference array) {
            int i = Operators.integer(c, index.value(c));
            if (i < 0 || i >= array.length()) {
                throw new Failure("index %d is outside of the array, which has %d elements", i, array.length());
            }
            return i;
        }
    }

    /** A call, of a value's method, a static one, or by its bare name. */
    record Call(Expr on, String name, List<Expr> arguments) implements Expr {
        @Override
        public Value value(Context c) {
            if (on == null) {
                return Calls.bare(c, name, c.values(arguments));
            }
            ReferenceType type = on.type(c);
            if (type != null) {
                return Calls.fixed(c, type, name, c.values(arguments));
            }
            Value of = on.value(c);
            if (of == null) {
                throw new Failure("%s() cannot be called on null", name);
            }
            if (!(of instanceof ObjectReference object)) {
                throw new Failure("a %s has no methods", of.type().name());
            }
            return Calls.on(c, object, name, c.values(arguments));
        }
    }

    /** A call of what this object's class inherits. */
    record Super(String name, List<Expr> arguments) implements Expr {
        @Override
        public Value value(Context c) {
            ObjectReference self = c.self();
            if (self == null || !(c.here() instanceof ClassType here) || here.superclass() == null) {
                throw new Failure("there is no super here");
            }
            return Calls.inherited(c, self, here.superclass(), name, c.values(arguments));
        }
    }
}

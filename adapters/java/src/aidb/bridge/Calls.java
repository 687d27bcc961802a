package aidb.bridge;

import aidb.expression.Operators;
import aidb.expression.TypeName;
import aidb.text.Closest;
import aidb.text.Failure;
import com.sun.jdi.ArrayType;
import com.sun.jdi.BooleanValue;
import com.sun.jdi.ClassType;
import com.sun.jdi.Field;
import com.sun.jdi.InterfaceType;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.PrimitiveValue;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StringReference;
import com.sun.jdi.Type;
import com.sun.jdi.Value;
import com.sun.jdi.VoidValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which method a call means, and how its arguments are fitted to the parameters. */
final class Calls {
    private static final Map<String, String> BOXES = Map.of(
        "boolean", "java.lang.Boolean", "byte", "java.lang.Byte", "char", "java.lang.Character", "short", "java.lang.Short",
        "int", "java.lang.Integer", "long", "java.lang.Long", "float", "java.lang.Float", "double", "java.lang.Double");
    private static final List<String> WIDENING = List.of("byte", "short", "int", "long", "float", "double");

    private Calls() {}

    static Value on(Context c, ObjectReference object, String name, List<Value> arguments) {
        Choice choice = choose(object.referenceType(), name, arguments, false);
        if (choice.method.isStatic()) {
            return c.invoke(null, choice.method.declaringType(), choice.method, choice.fit(c, arguments), 0);
        }
        return c.invoke(object, null, choice.method, choice.fit(c, arguments), 0);
    }

    static Value inherited(Context c, ObjectReference self, ClassType from, String name, List<Value> arguments) {
        Choice choice = choose(from, name, arguments, false);
        return c.invoke(self, null, choice.method, choice.fit(c, arguments), ObjectReference.INVOKE_NONVIRTUAL);
    }

    static Value fixed(Context c, ReferenceType type, String name, List<Value> arguments) {
        Types.initialise(c, type);
        Choice choice = choose(type, name, arguments, true);
        return c.invoke(null, choice.method.declaringType(), choice.method, choice.fit(c, arguments), 0);
    }

    /** A call by bare name: of this object, of those around it, of the class and those around it. */
    static Value bare(Context c, String name, List<Value> arguments) {
        for (ObjectReference self = c.self(); self != null; self = Names.outer(self)) {
            if (!self.referenceType().methodsByName(name).isEmpty()) {
                return on(c, self, name, arguments);
            }
        }
        for (ReferenceType type = c.here(); type != null; type = Types.around(c, type)) {
            if (type.methodsByName(name).stream().anyMatch(Method::isStatic)) {
                return fixed(c, type, name, arguments);
            }
        }
        List<String> known = c.here().allMethods().stream().map(Method::name).toList();
        throw new Failure("there is no method %s here%s", name, Closest.meant(name, known));
    }

    static Value create(Context c, ReferenceType type, List<Value> arguments) {
        if (!(type instanceof ClassType made) || made.isAbstract()) {
            throw new Failure("%s is abstract: no object of it can be made", Names.simple(type.name()));
        }
        Types.initialise(c, type);
        Choice choice = choose(made, "<init>", arguments, false);
        return c.create(made, choice.method, choice.fit(c, arguments));
    }

    /** A method that can take the arguments, and how far they are from its parameters. */
    private record Choice(Method method, List<String> parameters, boolean spread, int distance) {
        /** The distance, with those that the compiler has added last: they may be all that a class shows of its parents' methods. */
        int far() {
            return method.isBridge() ? distance + 100_000 : distance;
        }

        List<Value> fit(Context c, List<Value> arguments) {
            List<Value> fitted = new ArrayList<>();
            int fixed = spread ? parameters.size() - 1 : parameters.size();
            for (int i = 0; i < fixed; i++) {
                fitted.add(Calls.fit(c, arguments.get(i), parameters.get(i)));
            }
            if (spread) {
                String element = element(parameters);
                fitted.add(Types.array(c, element, arguments.subList(fixed, arguments.size())));
            }
            return fitted;
        }
    }

    private static String element(List<String> parameters) {
        return parameters.get(parameters.size() - 1).replaceFirst("\\[]$", "");
    }

    private static Choice choose(ReferenceType type, String name, List<Value> arguments, boolean fixed) {
        Choice best = null;
        List<Method> named = name.equals("<init>") ? type.methodsByName(name) : methods(type, name);
        for (Method method : named) {
            boolean candidate = (!fixed || method.isStatic()) && (!name.equals("<init>") || method.declaringType().equals(type));
            Choice choice = candidate ? fits(method, arguments) : null;
            if (choice != null && (best == null || choice.far() < best.far())) {
                best = choice;
            }
        }
        if (best == null) {
            throw noChoice(type, name, arguments, named);
        }
        return best;
    }

    private static List<Method> methods(ReferenceType type, String name) {
        List<Method> named = new ArrayList<>(type.methodsByName(name));
        if (type instanceof InterfaceType || type instanceof ArrayType) {
            named.addAll(type.virtualMachine().classesByName("java.lang.Object").get(0).methodsByName(name));
        }
        return named;
    }

    private static Failure noChoice(ReferenceType type, String name, List<Value> arguments, List<Method> named) {
        String owner = Names.simple(type.name());
        if (named.isEmpty()) {
            List<String> known = type.allMethods().stream().map(Method::name).filter(m -> !m.startsWith("<")).toList();
            return new Failure("%s has no method %s%s", owner, name, Closest.meant(name, known));
        }
        List<String> given = arguments.stream().map(v -> v == null ? "null" : Names.simple(v.type().name())).toList();
        Set<String> possible = new HashSet<>();
        for (Method m : named) {
            possible.add("(" + String.join(", ", m.argumentTypeNames().stream().map(Names::simple).toList()) + ")");
        }
        String what = name.equals("<init>") ? "new " + owner : owner + "." + name;
        return new Failure("%s does not take (%s); it takes %s", what, String.join(", ", given), String.join(" or ", possible));
    }

    private static Choice fits(Method method, List<Value> arguments) {
        List<String> parameters = method.argumentTypeNames();
        if (parameters.size() == arguments.size()) {
            int far = distance(arguments, parameters, parameters.size());
            if (far >= 0) {
                return new Choice(method, parameters, false, far);
            }
        }
        if (!method.isVarArgs() || arguments.size() < parameters.size() - 1) {
            return null;
        }
        int fixed = parameters.size() - 1;
        int far = distance(arguments, parameters, fixed);
        for (Value rest : arguments.subList(fixed, arguments.size())) {
            int step = distance(rest, element(parameters));
            far = step < 0 || far < 0 ? -1 : far + step;
        }
        return far < 0 ? null : new Choice(method, parameters, true, far + 10_000);
    }

    private static int distance(List<Value> arguments, List<String> parameters, int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            int step = distance(arguments.get(i), parameters.get(i));
            if (step < 0) {
                return -1;
            }
            sum += step;
        }
        return sum;
    }

    /** How far a value's type is from a parameter's; -1 when it does not fit. Boxing is farther than any widening. */
    private static int distance(Value value, String parameter) {
        if (value == null) {
            return TypeName.primitive(parameter) ? -1 : parameter.equals("java.lang.Object") ? 1 : 0;
        }
        if (value instanceof VoidValue) {
            return -1;
        }
        if (value instanceof PrimitiveValue) {
            String given = value.type().name();
            if (TypeName.primitive(parameter)) {
                return widening(given, parameter);
            }
            String box = BOXES.get(given);
            int extra = List.of(box, "java.lang.Number", "java.lang.Comparable", "java.io.Serializable", "java.lang.Object").indexOf(parameter);
            boolean number = !given.equals("boolean") && !given.equals("char");
            return extra < 0 || extra == 1 && !number ? -1 : 100 + extra;
        }
        if (TypeName.primitive(parameter)) {
            Value plain = unbox(value);
            int step = plain instanceof PrimitiveValue ? widening(plain.type().name(), parameter) : -1;
            return step < 0 ? -1 : 100 + step;
        }
        return distance(value.type(), parameter);
    }

    private static int widening(String given, String parameter) {
        if (given.equals(parameter)) {
            return 0;
        }
        int from = given.equals("char") ? 1 : WIDENING.indexOf(given);
        int to = WIDENING.indexOf(parameter);
        return from < 0 || to <= from ? -1 : to - from;
    }

    /** How many steps up from a type another is, by name; -1 when it is not above it. */
    static int distance(Type type, String above) {
        if (type.name().equals(above)) {
            return 0;
        }
        if (above.equals("java.lang.Object")) {
            return 50;
        }
        if (type instanceof ArrayType array) {
            return above.equals("java.lang.Cloneable") || above.equals("java.io.Serializable") ? 1 : element(array, above);
        }
        int best = -1;
        List<ReferenceType> parents = new ArrayList<>();
        if (type instanceof ClassType c) {
            parents.addAll(c.interfaces());
            if (c.superclass() != null) {
                parents.add(c.superclass());
            }
        } else if (type instanceof InterfaceType face) {
            parents.addAll(face.superinterfaces());
        }
        for (ReferenceType parent : parents) {
            int step = distance(parent, above);
            if (step >= 0 && (best < 0 || step + 1 < best)) {
                best = step + 1;
            }
        }
        return best;
    }

    private static int element(ArrayType array, String above) {
        if (!above.endsWith("[]") || TypeName.primitive(array.componentTypeName())) {
            return -1;
        }
        try {
            return distance(array.componentType(), above.substring(0, above.length() - 2));
        } catch (com.sun.jdi.ClassNotLoadedException e) {
            return -1;
        }
    }

    /** The value as a type takes it: boxed, unboxed or widened. */
    static Value fit(Context c, Value value, String type) {
        if (value == null) {
            if (TypeName.primitive(type)) {
                throw new Failure("null is not a %s", type);
            }
            return null;
        }
        if (TypeName.primitive(type)) {
            Value plain = unbox(value);
            boolean fits = plain instanceof PrimitiveValue && (widening(plain.type().name(), type) >= 0 || constant(plain, type));
            if (!fits) {
                throw Names.wrongType(c, value, type);
            }
            return plain instanceof BooleanValue ? plain : Evaluation.mirror(c.vm(), Operators.narrow(Evaluation.primitive(plain), type));
        }
        if (!(value instanceof PrimitiveValue n)) {
            return value;
        }
        String wanted = BOXES.containsValue(type) ? BOXES.entrySet().stream().filter(e -> e.getValue().equals(type)).findFirst().orElseThrow().getKey() : "";
        if (!wanted.isEmpty()) {
            return box(c, (PrimitiveValue) fit(c, n, wanted));
        }
        return distance(n, type) >= 0 ? box(c, n) : n;
    }

    /** An int that is small enough for a narrower type, as constants may be assigned. */
    private static boolean constant(Value n, String type) {
        if (!n.type().name().equals("int")) {
            return false;
        }
        int i = ((PrimitiveValue) n).intValue();
        return type.equals("byte") && i == (byte) i || type.equals("short") && i == (short) i || type.equals("char") && i == (char) i;
    }

    private static Value box(Context c, PrimitiveValue n) {
        ReferenceType box = Types.need(c, BOXES.get(n.type().name()));
        for (Method valueOf : box.methodsByName("valueOf")) {
            if (valueOf.argumentTypeNames().equals(List.of(n.type().name()))) {
                return c.invoke(null, box, valueOf, List.of(n), 0);
            }
        }
        throw new Failure("a %s cannot be boxed", n.type().name());
    }

    /** What a box holds; other values as they are. */
    static Value unbox(Value value) {
        if (value instanceof ObjectReference object && BOXES.containsValue(object.referenceType().name())) {
            Field held = object.referenceType().fieldByName("value");
            return object.getValue(held);
        }
        return value;
    }

    /** A value as a string shows it. */
    static String text(Context c, Value value) {
        if (value instanceof StringReference text) {
            return text.value();
        }
        if (value instanceof VoidValue) {
            throw new Failure("a call that returns nothing cannot be part of a string");
        }
        Value plain = unbox(value);
        if (plain == null || plain instanceof PrimitiveValue) {
            return String.valueOf(plain);
        }
        return on(c, (ObjectReference) value, "toString", List.of()) instanceof StringReference text ? text.value() : "null";
    }
}

package aidb.bridge;

import aidb.expression.Expression;
import aidb.expression.Nodes;
import aidb.expression.Operators;
import aidb.expression.Parser;
import aidb.expression.TypeName;
import aidb.expression.Values;
import aidb.text.Failure;
import com.sun.jdi.ArrayReference;
import com.sun.jdi.BooleanValue;
import com.sun.jdi.ByteValue;
import com.sun.jdi.CharValue;
import com.sun.jdi.ClassNotLoadedException;
import com.sun.jdi.ClassType;
import com.sun.jdi.DoubleValue;
import com.sun.jdi.FloatValue;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.InvalidTypeException;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.LongValue;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.PrimitiveValue;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.ShortValue;
import com.sun.jdi.StringReference;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.VoidValue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What expressions mean where a thread stands, and what they do in the program. Null is Java's null. */
final class Evaluation implements Values<Value> {
    private final Context c;

    private Evaluation(Context c) {
        this.c = c;
    }

    static Value value(Context c, Expression e) {
        return guarded(() -> e.value(new Evaluation(c)));
    }

    static boolean holds(Context c, Expression condition) {
        return Operators.truth(new Evaluation(c), value(c, condition));
    }

    /** Gives a place a value and answers with the one that it then has. */
    static Value assign(Context c, String place, String text) {
        Expression to = Parser.parse(place);
        Expression value = Parser.parse(text);
        Evaluation in = new Evaluation(c);
        return guarded(() -> in.assign(to, value.value(in)));
    }

    /** The field that an expression names; null when it names something else. */
    static Names.Place field(Context c, Expression named) {
        return guarded(() -> new Evaluation(c).place(named));
    }

    private static <T> T guarded(Supplier<T> of) {
        try {
            return of.get();
        } catch (ArithmeticException divided) {
            throw new Failure("division by zero");
        }
    }

    private List<Value> values(List<Expression> expressions) {
        List<Value> values = new ArrayList<>();
        for (Expression e : expressions) {
            values.add(e.value(this));
        }
        return values;
    }

    // Values.

    @Override
    public Value of(Object plain) {
        return mirror(c.vm(), plain);
    }

    static PrimitiveValue mirror(VirtualMachine vm, Object plain) {
        if (plain instanceof Boolean b) {
            return vm.mirrorOf(b);
        }
        if (plain instanceof Character ch) {
            return vm.mirrorOf(ch);
        }
        if (plain instanceof Integer i) {
            return vm.mirrorOf(i);
        }
        if (plain instanceof Long l) {
            return vm.mirrorOf(l);
        }
        if (plain instanceof Double d) {
            return vm.mirrorOf(d);
        }
        if (plain instanceof Float f) {
            return vm.mirrorOf(f);
        }
        return plain instanceof Short s ? vm.mirrorOf(s) : vm.mirrorOf((byte) plain);
    }

    @Override
    public Object plain(Value value) {
        return primitive(Calls.unbox(value));
    }

    /** What a value of a primitive type is; null for all others. */
    static Object primitive(Value v) {
        if (!(v instanceof PrimitiveValue n)) {
            return null;
        }
        if (v instanceof BooleanValue b) {
            return b.value();
        }
        if (v instanceof CharValue ch) {
            return ch.value();
        }
        if (v instanceof IntegerValue) {
            return n.intValue();
        }
        if (v instanceof LongValue) {
            return n.longValue();
        }
        if (v instanceof DoubleValue) {
            return n.doubleValue();
        }
        if (v instanceof FloatValue) {
            return n.floatValue();
        }
        return v instanceof ShortValue ? (Object) n.shortValue() : v instanceof ByteValue ? (Object) n.byteValue() : null;
    }

    @Override
    public boolean isPrimitive(Value value) {
        return value instanceof PrimitiveValue;
    }

    @Override
    public Value nothing() {
        return null;
    }

    @Override
    public boolean isNull(Value value) {
        return value == null;
    }

    @Override
    public Value text(String text) {
        return c.text(text);
    }

    @Override
    public boolean isText(Value value) {
        return value instanceof StringReference;
    }

    @Override
    public String shown(Value value) {
        return Calls.text(c, value);
    }

    @Override
    public Value interned(Value text) {
        return Calls.on(c, (StringReference) text, "intern", List.of());
    }

    @Override
    public boolean isSame(Value a, Value b) {
        return a == null ? b == null : a.equals(b);
    }

    @Override
    public String kind(Value value) {
        if (value == null) {
            return "null";
        }
        return value instanceof VoidValue ? "nothing" : "a " + Names.simple(value.type().name());
    }

    private int integer(Value value) {
        Object plain = plain(value);
        if (plain instanceof Character ch) {
            return ch;
        }
        if (plain instanceof Integer || plain instanceof Short || plain instanceof Byte) {
            return ((Number) plain).intValue();
        }
        throw new Failure("an int is wanted, not %s", kind(value));
    }

    // Types.

    @Override
    public boolean isInstance(Value value, TypeName type) {
        return value instanceof ObjectReference object && Calls.distance(object.type(), Types.full(c, type)) >= 0;
    }

    @Override
    public Value cast(Value value, TypeName type) {
        String full = Types.full(c, type);
        if (value instanceof PrimitiveValue n) {
            return Calls.fit(c, n, full);
        }
        if (value instanceof ObjectReference object && Calls.distance(object.type(), full) < 0) {
            throw new Failure("%s cannot be cast to %s", kind(value), type);
        }
        return value;
    }

    @Override
    public Value classOf(Expression named) {
        ReferenceType type = type(named);
        if (type == null) {
            throw new Failure(".class wants the name of a class before it");
        }
        return type.classObject();
    }

    /** The type that an expression names, such as java.util.List; null when it is no name of a type. */
    private ReferenceType type(Expression e) {
        Expression plain = e.plain();
        if (plain instanceof Nodes.Name n) {
            return c.variable(n.name()) == null && Names.place(c, n.name()) == null ? Types.find(c, n.name()) : null;
        }
        String whole = plain instanceof Nodes.Member m ? m.dotted() : null;
        if (whole == null || head((Nodes.Member) plain) != null) {
            return null;
        }
        Nodes.Member member = (Nodes.Member) plain;
        ReferenceType outer = type(member.on());
        return outer != null && outer.fieldByName(member.name()) != null ? null : Types.find(c, whole);
    }

    /** The variable that a dotted name begins with, null when there is none. */
    private Object head(Nodes.Member member) {
        Expression first = member;
        while (first instanceof Nodes.Member m) {
            first = m.on();
        }
        String word = ((Nodes.Name) first).name();
        Object local = c.variable(word);
        return local != null ? local : Names.place(c, word);
    }

    // Names.

    @Override
    public Value self() {
        if (c.self() == null) {
            throw new Failure("there is no this in a static method");
        }
        return c.self();
    }

    @Override
    public Value name(String name) {
        LocalVariable local = c.variable(name);
        if (local != null) {
            return c.frame().getValue(local);
        }
        Names.Place place = Names.place(c, name);
        if (place != null) {
            return place.get();
        }
        Integer argument = Names.argument(name, c);
        if (argument != null) {
            return Context.arguments(c.frame()).get(argument);
        }
        if (Types.find(c, name) != null) {
            throw new Failure("%s is a type, not a value", name);
        }
        throw Names.unknown(c, name);
    }

    @Override
    public Value member(Expression on, String name) {
        ReferenceType type = type(on);
        if (type != null) {
            return name.equals("this") ? Names.around(c, type) : Names.fixed(c, type, name).get();
        }
        Nodes.Member whole = new Nodes.Member(on, name);
        if (whole.dotted() != null && head(whole) == null) {
            throw new Failure("there is no %s here", whole.dotted());
        }
        Value of = on.value(this);
        return of instanceof ArrayReference array && name.equals("length") ? c.mirror(array.length()) : Names.place(of, name).get();
    }

    private Names.Place place(Expression e) {
        Expression plain = e.plain();
        if (plain instanceof Nodes.Name n) {
            if (c.variable(n.name()) != null) {
                throw new Failure("%s is a local variable: only fields can be watched", n.name());
            }
            return Names.place(c, n.name());
        }
        if (!(plain instanceof Nodes.Member m)) {
            return null;
        }
        ReferenceType type = type(m.on());
        return type == null ? Names.place(m.on().value(this), m.name()) : Names.fixed(c, type, m.name());
    }

    /** An element of an array. Lists and maps are asked through get. */
    @Override
    public Value element(Value on, Value index) {
        ArrayReference array = array(on);
        return array.getValue(checked(array, index));
    }

    private static ArrayReference array(Value of) {
        if (of instanceof ArrayReference array) {
            return array;
        }
        if (of == null) {
            throw new Failure("null has no elements");
        }
        throw new Failure("a %s is no array; a list or a map is asked with .get(…)", Names.simple(of.type().name()));
    }

    private int checked(ArrayReference array, Value index) {
        int i = integer(index);
        if (i < 0 || i >= array.length()) {
            throw new Failure("index %d is outside of the array, which has %d elements", i, array.length());
        }
        return i;
    }

    // Calls.

    @Override
    public Value call(Expression on, String name, List<Expression> arguments) {
        ReferenceType type = type(on);
        if (type != null) {
            return Calls.fixed(c, type, name, values(arguments));
        }
        Value of = on.value(this);
        if (of == null) {
            throw new Failure("%s() cannot be called on null", name);
        }
        if (!(of instanceof ObjectReference object)) {
            throw new Failure("a %s has no methods", of.type().name());
        }
        return Calls.on(c, object, name, values(arguments));
    }

    @Override
    public Value bare(String name, List<Expression> arguments) {
        return Calls.bare(c, name, values(arguments));
    }

    @Override
    public Value inherited(String name, List<Expression> arguments) {
        ObjectReference self = c.self();
        if (self == null || !(c.here() instanceof ClassType here) || here.superclass() == null) {
            throw new Failure("there is no super here");
        }
        return Calls.inherited(c, self, here.superclass(), name, values(arguments));
    }

    // Changes.

    @Override
    public Value create(String type, List<Expression> arguments) {
        return Calls.create(c, Types.need(c, type), values(arguments));
    }

    @Override
    public Value array(TypeName type, Value length) {
        return Types.array(c, type, integer(length));
    }

    @Override
    public Value elements(TypeName type, List<Expression> elements) {
        return Types.array(c, type, values(elements));
    }

    @Override
    public Value assign(Expression place, Value v) {
        Expression plain = place.plain();
        if (plain instanceof Nodes.Name n) {
            return assign(n.name(), v);
        }
        if (plain instanceof Nodes.Member) {
            return place(plain).set(c, v);
        }
        if (plain instanceof Nodes.Element e) {
            return assign(array(e.on().value(this)), e.index().value(this), v);
        }
        throw new Failure("only variables, fields and array elements can be assigned to");
    }

    private Value assign(String name, Value v) {
        LocalVariable local = c.variable(name);
        if (local == null) {
            Names.Place place = Names.place(c, name);
            if (place == null) {
                throw Names.unknown(c, name);
            }
            return place.set(c, v);
        }
        try {
            Value fit = Calls.fit(c, v, local.typeName());
            c.frame().setValue(c.variable(name), fit);
            return c.frame().getValue(c.variable(name));
        } catch (InvalidTypeException | ClassNotLoadedException e) {
            throw Names.wrongType(c, v, local.typeName());
        }
    }

    private Value assign(ArrayReference array, Value index, Value v) {
        int i = checked(array, index);
        String element = array.type().name().replaceFirst("\\[]$", "");
        try {
            array.setValue(i, Calls.fit(c, v, element));
        } catch (InvalidTypeException | ClassNotLoadedException e) {
            throw Names.wrongType(c, v, element);
        }
        return array.getValue(i);
    }
}

package aidb.recorder;

import aidb.expression.Expression;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A place in the program that code was put into. Hooks are told its number. */
final class Site {
    /** A method, with what is asked of it. */
    static final class Method {
        String file; // absolute, where the source is known
        String function; // as stacks name it
        int line; // the first
        boolean noted; // its calls are
        Thin.Counter counter; // of its calls, where not all are to be noted
        boolean followed; // its lines are
        boolean partly; // the condition is judged at some of its statements only
        boolean plain; // its result is no object
        boolean test; // of a framework: what is thrown out of it fails it
        boolean ends; // a test: what comes behind it is of another one
        List<String> parameters = List.of();
        List<String> places = List.of();
    }

    Method method;
    String name; // of what is read or written, as the source has it
    String member; // a field's own name, or a variable's place in its call
    String owner; // class of a static field, with dots
    ClassLoader loader;
    int line;
    volatile String given; // to a call of a class that may be a library's; null: to none
    boolean again; // the line may be under way already: a loop comes back to its head
    boolean index; // it only says which element is meant
    Probe probe;
    List<Code.Variable> variables = List.of();
    List<String> later = List.of(); // variables of the method that have no value here
    volatile Class<?> type; // that of a static field, once it is known
    final Map<String, Class<?>> types = new ConcurrentHashMap<>(2); // by the names that they have here
    volatile Meaning[] meanings; // of the condition's names, once they are known
    volatile int loaded; // classes of the program, when these were looked up

    /** Where values are wanted. */
    static final class Probe {
        int number;
        String file;
        int line;
        boolean places;
        Expression condition;
        List<Expression> expressions;
        List<String> names; // that are in them
    }

    /** Whether what is read is given to a call of a library, in which nothing is noted. */
    boolean givesAway() {
        String type = given;
        if (type != null && Agent.owns(type)) {
            given = type = null;
        }
        return type != null;
    }

    private volatile String place;

    /** Where what is read or written here lies. */
    String place(Frame frame, Object holder, Object key) {
        if (holder == null) {
            return owner == null ? frame.place(member) : place();
        }
        return key == null ? Ids.of(holder) + "." + member : Ids.of(holder) + "[" + Insides.key(key) + "]";
    }

    /** Where a static field lies: in the class that declares it. */
    String place() {
        String found = place;
        if (found == null) {
            java.lang.reflect.Field f = type() == null ? null : Reach.field(type(), member);
            found = place = (f == null ? owner : f.getDeclaringClass().getName()) + "." + member;
        }
        return found;
    }

    /** The class with a static field; null when it cannot be found. */
    Class<?> type() {
        Class<?> found = type;
        if (found == null) {
            try {
                found = type = Class.forName(owner, false, loader);
            } catch (ClassNotFoundException | LinkageError e) {
                return null;
            }
        }
        return found;
    }
}

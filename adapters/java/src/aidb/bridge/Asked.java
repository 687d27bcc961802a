package aidb.bridge;

import aidb.text.Failure;
import com.sun.jdi.ArrayReference;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * What objects of libraries say of themselves when they are asked: that calls into the program, and is
 * done only where its thread can make calls, for classes that are not the user's own, and not for long.
 */
final class Asked {
    private static final long LIMIT = 400_000_000; // nanoseconds for all the objects of one answer
    private static final String LAZY = "org.hibernate."; // whose collections ask the data base

    private final Context caller; // null: nothing is asked
    private long spent;

    Asked(Context caller) {
        this.caller = caller;
    }

    /** What toString says, null when that is not asked, or says no more than the class. */
    String text(ObjectReference object) {
        ReferenceType type = object.referenceType();
        if (!may(object) || !says(type)) {
            return null;
        }
        String said = (String) timed(object, () -> Calls.text(caller, object));
        if (said == null) {
            return null;
        }
        String plain = said.replaceAll("(?:[\\w$]+\\.)+([\\w$]+)@[0-9a-f]+", "$1").replace("\n", "\\n"); // without what tells nothing
        return plain.equals(type.name().substring(type.name().lastIndexOf('.') + 1)) ? null : plain;
    }

    /** The elements of a collection whose fields are not known here, null when it is none. */
    Contents contents(ObjectReference object) {
        ReferenceType type = object.referenceType();
        boolean map = Calls.distance(type, "java.util.Map") >= 0;
        if (!map && Calls.distance(type, "java.util.Collection") < 0 || type.name().startsWith(LAZY) || !may(object)) {
            return null;
        }
        return (Contents) timed(object, () -> new Called(object, map));
    }

    private boolean may(ObjectReference object) {
        if (caller == null || spent > LIMIT || caller.machine().limit.slow(object.referenceType()) || caller.machine().sources.own(object.referenceType())) {
            return false;
        }
        try {
            ThreadReference owner = object.owningThread(); // it stands still, and would be waited for
            return owner == null || owner.equals(caller.thread);
        } catch (IncompatibleThreadStateException | UnsupportedOperationException e) {
            return true;
        }
    }

    private static boolean says(ReferenceType type) {
        for (Method method : type.methodsByName("toString")) {
            if (!method.isAbstract() && method.argumentTypeNames().isEmpty()) {
                return !method.declaringType().name().equals("java.lang.Object");
            }
        }
        return false;
    }

    private interface Call {
        Object make();
    }

    private Object timed(ObjectReference object, Call call) {
        long began = System.nanoTime();
        try {
            return call.make();
        } catch (Failure e) {
            return null; // then its class is shown
        } finally {
            long took = System.nanoTime() - began;
            spent += took;
            if (took > LIMIT) {
                caller.machine().limit.remember(object.referenceType());
            }
        }
    }

    /** A collection that is asked for its elements by the methods that all have. */
    private final class Called extends Contents {
        private final ObjectReference object;
        private final boolean map;
        private final boolean ordered;

        Called(ObjectReference object, boolean map) {
            super(((IntegerValue) Calls.on(caller, object, "size", List.of())).value());
            this.object = object;
            this.map = map;
            ordered = Calls.distance(object.referenceType(), "java.util.List") >= 0;
        }

        @Override
        boolean isMap() {
            return map;
        }

        @Override
        String path(String of, int index) {
            return ordered ? super.path(of, index) : "";
        }

        @Override
        List<Entry> slice(int start, int count) {
            ObjectReference elements = map ? (ObjectReference) Calls.on(caller, object, "entrySet", List.of()) : object;
            Value stream = Calls.on(caller, elements, "stream", List.of());
            stream = Calls.on(caller, (ObjectReference) stream, "skip", List.of(caller.vm().mirrorOf((long) start)));
            stream = Calls.on(caller, (ObjectReference) stream, "limit", List.of(caller.vm().mirrorOf((long) count)));
            List<Entry> entries = new ArrayList<>();
            for (Value value : ((ArrayReference) Calls.on(caller, (ObjectReference) stream, "toArray", List.of())).getValues()) {
                ObjectReference entry = map ? (ObjectReference) value : null;
                entries.add(map ? new Entry(Calls.on(caller, entry, "getKey", List.of()), Calls.on(caller, entry, "getValue", List.of()))
                    : new Entry(null, value));
            }
            return entries;
        }
    }
}

package aidb.bridge;

import com.sun.jdi.ArrayReference;
import com.sun.jdi.Field;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import java.util.ArrayList;
import java.util.List;

/** The threads that hold a lock for reading, which only each of them itself knows. */
final class Readers {
    private static final String SYNC = "java.util.concurrent.locks.ReentrantReadWriteLock$Sync";

    private Readers() {}

    /** None where the lock is of another kind, or written by another JDK. */
    static List<ThreadReference> of(ObjectReference sync, List<ThreadReference> all) {
        List<ThreadReference> found = new ArrayList<>();
        if (Calls.distance(sync.referenceType(), SYNC) < 0 || number(sync, "state") >>> 16 == 0) {
            return found;
        }
        Value first = field(sync, "firstReader");
        Value key = field(sync, "readHolds");
        for (ThreadReference thread : all) {
            if (thread.equals(first) && number(sync, "firstReaderHoldCount") > 0 || count(thread, key) > 0) {
                found.add(thread);
            }
        }
        return found;
    }

    /** How often a thread holds it: what it keeps for itself under a key. */
    private static int count(ThreadReference thread, Value key) {
        if (!(field(thread, "threadLocals") instanceof ObjectReference locals) || !(field(locals, "table") instanceof ArrayReference table)) {
            return 0;
        }
        for (Value entry : table.getValues()) {
            if (entry instanceof ObjectReference e && key != null && key.equals(field(e, "referent")) && field(e, "value") instanceof ObjectReference holds) {
                return number(holds, "count");
            }
        }
        return 0;
    }

    private static int number(ObjectReference of, String name) {
        return field(of, name) instanceof IntegerValue n ? n.value() : 0;
    }

    private static Value field(ObjectReference of, String name) {
        Field field = of.referenceType().fieldByName(name);
        return field == null ? null : of.getValue(field);
    }
}

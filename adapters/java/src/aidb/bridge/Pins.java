package aidb.bridge;

import com.sun.jdi.ObjectCollectedException;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.VMDisconnectedException;
import java.util.ArrayList;
import java.util.List;

/** Objects that only the debugger holds: they are kept alive until the program goes on. */
final class Pins {
    private final List<ObjectReference> held = new ArrayList<>();

    synchronized void hold(ObjectReference object) {
        try {
            object.disableCollection();
            held.add(object);
        } catch (ObjectCollectedException | UnsupportedOperationException e) {
            // it is gone, or this machine does not collect
        }
    }

    synchronized void release() {
        for (ObjectReference object : held) {
            try {
                object.enableCollection();
            } catch (ObjectCollectedException | VMDisconnectedException e) {
                // nothing to release any more
            }
        }
        held.clear();
    }
}

package aidb.recorder;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Numbers that tell objects apart, which identityHashCode does not. Objects may die. */
final class Ids {
    private static final ConcurrentHashMap<Object, Long> KNOWN = new ConcurrentHashMap<>();
    private static final ReferenceQueue<Object> DEAD = new ReferenceQueue<>();
    private static final AtomicLong LAST = new AtomicLong();

    private Ids() {}

    private static final class Weak extends WeakReference<Object> {
        private final int hash;

        Weak(Object of) {
            super(of, DEAD);
            hash = System.identityHashCode(of);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return this == other || other instanceof Weak w && get() != null && get() == w.get()
                || other instanceof Look l && get() == l.of;
        }
    }

    private static final class Look {
        private final Object of;

        Look(Object of) {
            this.of = of;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(of);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Weak w && w.get() == of;
        }
    }

    /** The number of an object, which is that of what it shows where it shows all of another, as text; null for what has no identity that matters. */
    static String of(Object is) {
        Object object = Views.base(is);
        if (object == null || object instanceof String || object instanceof Number && object.getClass().getName().startsWith("java.lang.")
            || object instanceof Boolean || object instanceof Character) {
            return null;
        }
        Long found = KNOWN.get(new Look(object));
        if (found == null) {
            for (Reference<?> dead = DEAD.poll(); dead != null; dead = DEAD.poll()) {
                KNOWN.remove(dead);
            }
            Long fresh = LAST.incrementAndGet();
            found = KNOWN.putIfAbsent(new Weak(object), fresh);
            found = found == null ? fresh : found;
        }
        return "#" + found;
    }
}

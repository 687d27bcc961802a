package aidb.bridge;

import com.sun.jdi.ArrayReference;
import com.sun.jdi.ClassType;
import com.sun.jdi.Field;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.LongValue;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.PrimitiveValue;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StringReference;
import com.sun.jdi.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What the collections of the JDK hold, read from their fields: that needs no call into the program,
 * so it has no side effect and works wherever the program stands.
 */
abstract class Contents {
    record Entry(Value key, Value value) {}

    private static final int BLOCK = 64;

    final int size;

    Contents(int size) {
        this.size = size;
    }

    /** At most count entries from start on. */
    abstract List<Entry> slice(int start, int count);

    boolean isMap() {
        return false;
    }

    /** The expression for an element, empty when there is none. */
    String path(String of, int index) {
        return of.isEmpty() ? "" : of + ".get(" + index + ")";
    }

    /** The expression for a map's value, empty when its key cannot be written. */
    String path(String of, Value key) {
        boolean literal = key instanceof StringReference || Calls.unbox(key) instanceof IntegerValue;
        return of.isEmpty() || !literal ? "" : of + ".get(" + new Render(null).text(Calls.unbox(key)) + ")";
    }

    /** Null when the object is no collection that is known here. */
    static Contents of(ObjectReference object) {
        String name = object.referenceType().name();
        if (!name.startsWith("java.util.")) {
            return null;
        }
        try {
            Contents list = list(object, name);
            Contents set = list != null ? list : set(object, name);
            return set != null ? set : map(object, name);
        } catch (RuntimeException e) {
            return null; // another JDK may have it otherwise: then its fields are shown
        }
    }

    private static Contents list(ObjectReference object, String name) {
        return switch (name.substring(10)) {
            case "ArrayList" -> new Range(array(object, "elementData"), 0, number(object, "size"));
            case "Vector", "Stack" -> new Range(array(object, "elementData"), 0, number(object, "elementCount"));
            case "Arrays$ArrayList" -> new Range(array(object, "a"), 0, array(object, "a").length());
            case "concurrent.CopyOnWriteArrayList" -> new Range(array(object, "array"), 0, array(object, "array").length());
            case "ImmutableCollections$ListN" -> new Range(array(object, "elements"), 0, array(object, "elements").length());
            case "ImmutableCollections$List12" -> new Few(two(object), false);
            case "PriorityQueue" -> unordered(new Range(array(object, "queue"), 0, number(object, "size")));
            case "ArrayDeque" -> unordered(ring(object));
            case "LinkedList" -> new Chain(number(object, "size"), (ObjectReference) get(object, "first"), null, "item", "next");
            case "ArrayList$SubList", "ImmutableCollections$SubList" -> new Part(of((ObjectReference) get(object, "root")), number(object, "offset"), number(object, "size"));
            case "Collections$SingletonList" -> new Few(List.of(new Entry(null, get(object, "element"))), false);
            case "Collections$EmptyList", "Collections$EmptySet" -> new Few(List.of(), false);
            case "Collections$EmptyMap" -> new Few(List.of(), true);
            default -> wrapped(object, name);
        };
    }

    /** The views that only pass on what another collection holds. */
    private static Contents wrapped(ObjectReference object, String name) {
        if (!name.startsWith("java.util.Collections$Unmodifiable") && !name.startsWith("java.util.Collections$Synchronized")) {
            return null;
        }
        Field inner = object.referenceType().fieldByName("c");
        inner = inner != null ? inner : object.referenceType().fieldByName("m");
        return inner == null ? null : of((ObjectReference) object.getValue(inner));
    }

    private static Contents set(ObjectReference object, String name) {
        return switch (name.substring(10)) {
            case "HashSet", "LinkedHashSet", "concurrent.ConcurrentHashMap$KeySetView" -> new Side(of((ObjectReference) get(object, "map")), true);
            case "TreeSet", "TreeMap$KeySet" -> new Side(of((ObjectReference) get(object, "m")), true);
            case "HashMap$KeySet", "LinkedHashMap$LinkedKeySet" -> new Side(of((ObjectReference) get(object, "this$0")), true);
            case "HashMap$Values", "LinkedHashMap$LinkedValues", "TreeMap$Values" -> new Side(of((ObjectReference) get(object, "this$0")), false);
            case "concurrent.CopyOnWriteArraySet" -> unordered(of((ObjectReference) get(object, "al")));
            case "ImmutableCollections$SetN" -> unordered(new Few(present(array(object, "elements"), 1), false));
            case "ImmutableCollections$Set12" -> unordered(new Few(two(object), false));
            case "Collections$SingletonSet" -> unordered(new Few(List.of(new Entry(null, get(object, "element"))), false));
            case "RegularEnumSet" -> unordered(new Few(Enums.of(object), false));
            default -> null;
        };
    }

    private static Contents map(ObjectReference object, String name) {
        return switch (name.substring(10)) {
            case "LinkedHashMap" -> new Chain(number(object, "size"), (ObjectReference) get(object, "head"), "key", "value", "after");
            case "HashMap", "IdentityHashMap" -> name.endsWith("IdentityHashMap") ? new Few(present(array(object, "table"), 2), true)
                : new Buckets(number(object, "size"), array(object, "table"), "value");
            case "Hashtable" -> new Buckets(number(object, "count"), array(object, "table"), "value");
            case "Properties" -> of((ObjectReference) get(object, "map"));
            case "concurrent.ConcurrentHashMap" -> new Buckets(counted(object), array(object, "table"), "val");
            case "EnumMap" -> new Few(Enums.entries(object), true);
            case "TreeMap" -> new Tree(number(object, "size"), (ObjectReference) get(object, "root"));
            case "ImmutableCollections$MapN" -> new Few(present(array(object, "table"), 2), true);
            case "ImmutableCollections$Map1" -> new Few(List.of(new Entry(get(object, "k0"), get(object, "v0"))), true);
            case "Collections$SingletonMap" -> new Few(List.of(new Entry(get(object, "k"), get(object, "v"))), true);
            default -> null;
        };
    }

    static Value get(ObjectReference object, String name) {
        return object.getValue(object.referenceType().fieldByName(name));
    }

    private static ArrayReference array(ObjectReference object, String name) {
        return (ArrayReference) get(object, name);
    }

    private static int number(ObjectReference object, String name) {
        Value value = get(object, name);
        return value instanceof LongValue wide ? (int) wide.value() : ((PrimitiveValue) value).intValue();
    }

    /** What List.of and Set.of hold of one or two elements; a mark stands for the missing one. */
    private static List<Entry> two(ObjectReference object) {
        Value second = get(object, "e1");
        List<ReferenceType> owner = object.virtualMachine().classesByName("java.util.ImmutableCollections");
        Field mark = owner.isEmpty() ? null : owner.get(0).fieldByName("EMPTY");
        Entry first = new Entry(null, get(object, "e0"));
        boolean one = second == null || mark != null && second.equals(((ClassType) owner.get(0)).getValue(mark));
        return one ? List.of(first) : List.of(first, new Entry(null, second));
    }

    /** The filled places of a table: single elements, or keys and values in turn. */
    private static List<Entry> present(ArrayReference table, int step) {
        List<Entry> entries = new ArrayList<>();
        List<Value> values = table.getValues();
        for (int i = 0; i + step <= values.size(); i += step) {
            if (values.get(i) != null) {
                entries.add(step == 1 ? new Entry(null, values.get(i)) : new Entry(values.get(i), values.get(i + 1)));
            }
        }
        return entries;
    }

    /** The number of entries of a ConcurrentHashMap, of which busy threads count a part each. */
    private static int counted(ObjectReference map) {
        long sum = ((LongValue) get(map, "baseCount")).value();
        if (get(map, "counterCells") instanceof ArrayReference cells) {
            for (Value cell : cells.getValues()) {
                sum += cell == null ? 0 : ((LongValue) get((ObjectReference) cell, "value")).value();
            }
        }
        return (int) sum;
    }

    private static Contents ring(ObjectReference deque) {
        ArrayReference elements = array(deque, "elements");
        int head = number(deque, "head");
        int length = elements.length();
        return new Range(elements, head, Math.floorMod(number(deque, "tail") - head, length));
    }

    private static Contents unordered(Contents of) {
        return new Contents(of.size) {
            @Override
            List<Entry> slice(int start, int count) {
                return of.slice(start, count);
            }

            @Override
            String path(String path, int index) {
                return "";
            }
        };
    }

    /** Elements side by side in an array, round its end where need be. */
    private static final class Range extends Contents {
        private final ArrayReference array;
        private final int first;

        Range(ArrayReference array, int first, int size) {
            super(size);
            this.array = array;
            this.first = first;
        }

        @Override
        List<Entry> slice(int start, int count) {
            List<Entry> entries = new ArrayList<>();
            int left = Math.min(count, size - start);
            int at = left > 0 ? (first + start) % array.length() : 0;
            while (left > 0) {
                int n = Math.min(left, array.length() - at);
                array.getValues(at, n).forEach(v -> entries.add(new Entry(null, v)));
                left -= n;
                at = 0;
            }
            return entries;
        }
    }

    /** A few entries, read at once. */
    private static final class Few extends Contents {
        private final List<Entry> entries;
        private final boolean map;

        Few(List<Entry> entries, boolean map) {
            super(entries.size());
            this.entries = entries;
            this.map = map;
        }

        @Override
        boolean isMap() {
            return map;
        }

        @Override
        List<Entry> slice(int start, int count) {
            int from = Math.min(start, size);
            return entries.subList(from, Math.min(from + count, size));
        }
    }

    /** Nodes that each know the next. */
    private static class Chain extends Contents {
        private final ObjectReference first;
        private final String key; // null: no map
        private final String value;
        private final String next;

        Chain(int size, ObjectReference first, String key, String value, String next) {
            super(size);
            this.first = first;
            this.key = key;
            this.value = value;
            this.next = next;
        }

        @Override
        boolean isMap() {
            return key != null;
        }

        @Override
        List<Entry> slice(int start, int count) {
            List<Entry> entries = new ArrayList<>();
            ObjectReference node = first;
            for (int i = 0; node != null && entries.size() < count; i++) {
                if (i >= start) {
                    entries.add(new Entry(key == null ? null : get(node, key), get(node, value)));
                }
                node = (ObjectReference) get(node, next);
            }
            return entries;
        }
    }

    /** A hash table: an array of chains (or trees, whose nodes are chained too). */
    private static final class Buckets extends Contents {
        private final ArrayReference table;
        private final String value;

        Buckets(int size, ArrayReference table, String value) {
            super(size);
            this.table = table;
            this.value = value;
        }

        @Override
        boolean isMap() {
            return true;
        }

        @Override
        List<Entry> slice(int start, int count) {
            List<Entry> entries = new ArrayList<>();
            int seen = 0;
            int length = table == null ? 0 : table.length();
            for (int at = 0; at < length && entries.size() < count; at += BLOCK) {
                for (Value bucket : table.getValues(at, Math.min(BLOCK, length - at))) {
                    ObjectReference node = (ObjectReference) bucket;
                    if (node != null && node.referenceType().fieldByName("first") != null) {
                        node = (ObjectReference) get(node, "first"); // the head of a tree
                    }
                    for (; node != null && entries.size() < count; node = (ObjectReference) get(node, "next")) {
                        if (seen++ >= start) {
                            entries.add(new Entry(get(node, "key"), get(node, value)));
                        }
                    }
                }
            }
            return entries;
        }
    }

    /** A sorted map: a tree, walked from the left. */
    private static final class Tree extends Contents {
        private final ObjectReference root;

        Tree(int size, ObjectReference root) {
            super(size);
            this.root = root;
        }

        @Override
        boolean isMap() {
            return true;
        }

        @Override
        List<Entry> slice(int start, int count) {
            List<Entry> entries = new ArrayList<>();
            Deque<ObjectReference> path = new ArrayDeque<>();
            ObjectReference node = root;
            for (int seen = 0; (node != null || !path.isEmpty()) && entries.size() < count; ) {
                for (; node != null; node = (ObjectReference) get(node, "left")) {
                    path.push(node);
                }
                node = path.pop();
                if (seen++ >= start) {
                    entries.add(new Entry(get(node, "key"), get(node, "value")));
                }
                node = (ObjectReference) get(node, "right");
            }
            return entries;
        }
    }

    /** The keys or the values of a map, as a set or another view holds them. */
    private static final class Side extends Contents {
        private final Contents map;
        private final boolean keys;

        Side(Contents map, boolean keys) {
            super(map.size);
            this.map = map;
            this.keys = keys;
        }

        @Override
        String path(String of, int index) {
            return "";
        }

        @Override
        List<Entry> slice(int start, int count) {
            return map.slice(start, count).stream().map(e -> new Entry(null, keys ? e.key : e.value)).toList();
        }
    }
}

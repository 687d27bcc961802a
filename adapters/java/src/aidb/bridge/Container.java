package aidb.bridge;

import com.sun.jdi.ArrayReference;
import com.sun.jdi.Field;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A value, or a scope, that can be opened. */
interface Container {
    /** One child; path is the expression for it, empty when there is none. */
    record Item(String name, Value value, String declared, String path, boolean argument) {}

    /** Children from start on, all when count is 0. */
    List<Item> items(int start, int count);

    /** How many elements it has, -1 when it has named children instead. */
    default int size() {
        return -1;
    }

    static List<Item> page(List<Item> items, int start, int count) {
        int from = Math.min(Math.max(start, 0), items.size());
        return items.subList(from, count <= 0 ? items.size() : Math.min(from + count, items.size()));
    }

    /** What a value holds, null when it cannot be opened. Path is the expression for the value. */
    static Container of(Value value, String path, Render render) {
        if (value instanceof ArrayReference array) {
            return array.length() == 0 ? null : new Elements(array, path);
        }
        if (!(value instanceof ObjectReference object) || Render.whole(object)) {
            return null;
        }
        Contents contents = render.contents(object);
        if (contents != null) {
            return contents.size == 0 ? null : new Collected(contents, path);
        }
        return Fields.of(object).isEmpty() ? null : new Fields(object, path);
    }

    static Container statics(ReferenceType type) {
        return (start, count) -> {
            List<Field> fields = type.allFields().stream().filter(f -> f.isStatic() && !f.isSynthetic()).toList();
            List<Item> items = new ArrayList<>();
            for (Field field : fields) {
                String owner = Names.simple(field.declaringType().name());
                items.add(new Item(field.name(), field.declaringType().getValue(field), field.typeName(), owner + "." + field.name(), false));
            }
            return page(items, start, count);
        };
    }

    /** An array's elements. */
    record Elements(ArrayReference array, String path) implements Container {
        @Override
        public int size() {
            return array.length();
        }

        @Override
        public List<Item> items(int start, int count) {
            int length = array.length();
            int from = Math.min(Math.max(start, 0), length);
            int n = count <= 0 ? length - from : Math.min(count, length - from);
            List<Item> items = new ArrayList<>();
            if (n > 0) {
                for (Value value : array.getValues(from, n)) {
                    String name = "[" + (from + items.size()) + "]";
                    items.add(new Item(name, value, null, path.isEmpty() ? "" : path + name, false));
                }
            }
            return items;
        }
    }

    /** What a collection of the JDK holds. */
    record Collected(Contents contents, String path) implements Container {
        @Override
        public int size() {
            return contents.size;
        }

        @Override
        public List<Item> items(int start, int count) {
            List<Item> items = new ArrayList<>();
            int from = Math.max(start, 0);
            for (Contents.Entry entry : contents.slice(from, count <= 0 ? contents.size : count)) {
                int i = from + items.size();
                if (entry.key() == null && !contents.isMap()) {
                    items.add(new Item("[" + i + "]", entry.value(), null, contents.path(path, i), false));
                } else {
                    String key = new Render(null).text(entry.key());
                    items.add(new Item(key, entry.value(), null, contents.path(path, entry.key()), false));
                }
            }
            return items;
        }
    }

    /** An object's fields, those of its own class first. */
    record Fields(ObjectReference object, String path) implements Container {
        static List<Field> of(ObjectReference object) {
            return object.referenceType().allFields().stream().filter(f -> !f.isStatic() && !f.isSynthetic()).toList();
        }

        @Override
        public List<Item> items(int start, int count) {
            List<Field> fields = of(object);
            Map<Field, Value> values = object.getValues(fields);
            List<Item> items = new ArrayList<>();
            for (Field field : fields) {
                String expression = path.isEmpty() ? "" : path + "." + field.name();
                items.add(new Item(field.name(), values.get(field), field.typeName(), expression, false));
            }
            return page(items, start, count);
        }
    }
}

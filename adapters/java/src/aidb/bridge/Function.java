package aidb.bridge;

import aidb.text.Closest;
import java.util.List;
import java.util.Map;

/** A method as people name it: "add", "Calc.add", "shop.Calc#add(int)", "Calc.<init>". */
record Function(String type, String method) {
    static Function parse(String name) {
        String plain = name.strip().replace('#', '.').replace("::", ".");
        int open = plain.indexOf('(');
        if (open >= 0) {
            plain = plain.substring(0, open);
        }
        if (plain.startsWith("new ")) {
            return new Function(plain.substring(4).strip(), "<init>");
        }
        int dot = plain.lastIndexOf('.');
        String type = dot < 0 ? "" : plain.substring(0, dot);
        String method = plain.substring(dot + 1);
        boolean constructor = !type.isEmpty() && method.equals(type.substring(type.lastIndexOf('.') + 1));
        return new Function(type, constructor ? "<init>" : method);
    }

    /** Whether a class, by its full name with dollar signs, is the one that is meant. */
    boolean in(String name) {
        String plain = name.replace('$', '.');
        return type.isEmpty() || plain.equals(type) || plain.endsWith("." + type);
    }

    /** The last name of the class, empty when none is named. */
    String simpleType() {
        return type.substring(type.lastIndexOf('.') + 1);
    }

    /** Names like this one among the classes, as they could be written. */
    List<String> like(List<ClassFile> classes, int most) {
        List<String> known = new java.util.ArrayList<>();
        for (ClassFile c : classes) {
            for (Map.Entry<String, Integer> m : c.methods.entrySet()) {
                if (!m.getKey().startsWith("<cl") && !m.getKey().contains("$")) {
                    known.add(type.isEmpty() ? m.getKey() : Names.simple(c.name) + "." + m.getKey());
                }
            }
        }
        return Closest.like(type.isEmpty() ? method : simpleType() + "." + method, known, most);
    }
}

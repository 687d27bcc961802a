package aidb.recorder;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;

/** In which methods lambda expressions, local and anonymous classes stand. */
final class Nested {
    private final Map<String, String[]> around = new ConcurrentHashMap<>(); // of a class: the class and method that it is in

    /** A class has come, which may be in a method of one that came before. */
    void add(ClassFile in) {
        if (in.around != null) {
            around.put(in.name, in.around);
        }
    }

    /** Whether something is true of a method, or of one that it stands in. */
    boolean any(String type, String method, BiPredicate<String, String> is) {
        for (int depth = 0; type != null && depth < 8; depth++) {
            if (is.test(type, method) || method.startsWith("lambda$") && is.test(type, lambdaIn(method))) {
                return true;
            }
            String[] outer = around.get(type);
            type = outer == null ? null : outer[0];
            method = outer == null ? "" : outer[1];
        }
        return false;
    }

    /** The method in which a lambda expression stands: lambda$total$0 in total. */
    private static String lambdaIn(String method) {
        int end = method.lastIndexOf('$');
        String name = end < 7 ? "" : method.substring(7, end);
        return name.equals("new") ? "<init>" : name.equals("static") ? "<clinit>" : name;
    }
}

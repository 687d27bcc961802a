package aidb.recorder;

import aidb.asm.Opcodes;
import aidb.asm.tree.AnnotationNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Notes what ended the run, or a test of it. */
final class Failures {
    private static final int MOST = 30;
    private static final Set<String> TESTS = Set.of("Lorg/junit/Test;", "Lorg/junit/jupiter/api/Test;", "Lorg/junit/jupiter/params/ParameterizedTest;",
        "Lorg/junit/jupiter/api/RepeatedTest;", "Lorg/testng/annotations/Test;");
    private static final Set<String> AFTERS = Set.of("Lorg/junit/After;", "Lorg/junit/jupiter/api/AfterEach;", "Lorg/testng/annotations/AfterMethod;");
    private static final Set<String> SKIPS = Set.of("org.opentest4j.TestAbortedException", "org.opentest4j.TestSkippedException",
        "org.junit.AssumptionViolatedException", "org.junit.internal.AssumptionViolatedException", "org.testng.SkipException");

    private Failures() {}

    /** Sees what is thrown out of a thread, and says it as the JDK does where nobody else is to. */
    static void begin() {
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {
            Hooks.quietly(() -> note("uncaught", null, error));
            System.err.print("Exception in thread \"" + thread.getName() + "\" ");
            error.printStackTrace(System.err);
        });
    }

    /** Whether a method is a test that fails with whatever is thrown out of it. */
    static boolean isTest(ClassFile.Member m) {
        for (AnnotationNode a : m.annotations()) {
            if (TESTS.contains(a.desc) && !expects(a)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a method is a test, or is called after each: what comes behind it is of another test. */
    static boolean endsTest(ClassFile.Member m) {
        return m.annotations().stream().anyMatch(a -> TESTS.contains(a.desc) || AFTERS.contains(a.desc));
    }

    /** Another test begins, which is not known yet. */
    static void began() {
        Hooks.notes.write(new Notes.Event("test").text("at", "").text("t", Notes.thread()));
    }

    /** One of a test may say that an exception is expected. */
    private static boolean expects(AnnotationNode test) {
        for (int i = 0; test.values != null && i < test.values.size(); i += 2) {
            if (((String) test.values.get(i)).startsWith("expected")) {
                return true;
            }
        }
        return false;
    }

    static boolean exits(Code code) {
        for (int i = 0; i < code.size(); i++) {
            if (exit(code, i)) {
                return true;
            }
        }
        return false;
    }

    /** Whether an instruction is a call that ends the program with a code. */
    static boolean exit(Code code, int i) {
        int op = code.op(i);
        if (op != Opcodes.INVOKESTATIC && op != Opcodes.INVOKEVIRTUAL) {
            return false;
        }
        String[] called = code.reference(i);
        return called[2].equals("(I)V") && (called[0].equals("java/lang/System") && called[1].equals("exit")
            || called[0].equals("java/lang/Runtime") && (called[1].equals("exit") || called[1].equals("halt")));
    }

    static void exit(int code) {
        if (code != 0) {
            write("exited", null, String.valueOf(code), Callers.frames(0, MOST));
        }
    }

    static void test(Throwable error, String name) {
        if (!SKIPS.contains(error.getClass().getName())) {
            note(error instanceof AssertionError ? "expected" : "uncaught", name, error);
        }
    }

    private static void note(String how, String test, Throwable error) {
        List<String> stack = new ArrayList<>();
        for (StackTraceElement e : error.getStackTrace()) {
            if (Agent.owns(e.getClassName()) && e.getLineNumber() > 0 && stack.size() < MOST) {
                String type = e.getClassName();
                stack.add(type.substring(type.lastIndexOf('.') + 1).replace('$', '.') + "." + e.getMethodName() + " "
                    + Agent.fileOf(type, e.getFileName()) + ":" + e.getLineNumber());
            }
        }
        write(how, test, Show.cut(Show.thrown(error)), stack);
    }

    private static void write(String how, String test, String value, List<String> stack) {
        if (Hooks.flight) {
            Flight.tellAll();
        } else if (Hooks.thin != null) {
            Hooks.thin.tellAll();
        }
        Notes.Value v = new Notes.Value();
        v.text = value;
        Notes.Event e = new Notes.Event("failed").text("m", how).text("q", test).text("t", Notes.thread());
        if (!stack.isEmpty()) {
            int space = stack.get(0).indexOf(' ');
            e.text("f", stack.get(0).substring(0, space)).text("at", stack.get(0).substring(space + 1));
        }
        Hooks.notes.write(e.values(List.of(v)).texts("s", stack));
    }
}

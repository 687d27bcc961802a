package aidb.bridge;

import aidb.expression.Expression;
import aidb.text.Failure;
import aidb.text.Obj;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;

/** Decides at a breakpoint whether the program stops there. */
final class Judge {
    record Verdict(boolean stop, String failed) {}

    private static final Verdict NO = new Verdict(false, null);
    private static final Verdict YES = new Verdict(true, null);

    private Judge() {}

    static Verdict judge(Machine machine, Point point, ThreadReference thread) {
        if (!point.judged()) {
            point.counts();
            return YES;
        }
        try {
            Context c = new Context(machine, thread, 0);
            if (point.condition != null && !Evaluation.holds(c, point.condition)) {
                return NO;
            }
            if (!point.counts()) {
                return NO;
            }
            if (point.log == null) {
                return YES;
            }
            machine.wire.event("output", Obj.of("category", "stdout", "output", text(c, point) + "\n",
                "source", Obj.of("path", point.boundPath), "line", point.boundLine));
            return NO;
        } catch (Failure e) {
            if (point.log == null && machine.points.isWoven() && isObsolete(thread)) {
                return NO; // a call that began before a recorder came or went: nothing can be read in its code
            }
            return new Verdict(true, String.format("the condition \"%s\" failed: %s", point.conditionText, e.getMessage()));
        } finally {
            machine.pins.release();
        }
    }

    private static boolean isObsolete(ThreadReference thread) {
        try {
            return thread.frame(0).location().method().isObsolete();
        } catch (IncompatibleThreadStateException e) {
            return false;
        }
    }

    private static String text(Context c, Point point) {
        StringBuilder out = new StringBuilder();
        for (Object part : point.log) {
            if (!(part instanceof Expression expression)) {
                out.append(part);
                continue;
            }
            try {
                Value value = Evaluation.value(c, expression);
                out.append(new Render(c).plain(value));
            } catch (Failure e) {
                out.append('{').append(e.getMessage()).append('}');
            }
        }
        return out.toString();
    }
}

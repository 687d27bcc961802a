import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Plans shifts from a template; what one week changes shows in another. */
public class Roster {
    static class Shift {
        final String day;
        int people;

        Shift(String day, int people) {
            this.day = day;
            this.people = people;
        }

        Shift copy() {
            return new Shift(day, people);
        }
    }

    static class Week {
        final int number;
        final List<Shift> shifts;

        Week(int number, List<Shift> shifts) {
            this.number = number;
            this.shifts = shifts;
        }

        Shift on(String day) {
            for (Shift s : shifts) {
                if (s.day.equals(day)) {
                    return s;
                }
            }
            throw new IllegalArgumentException(day);
        }

        int people() {
            int sum = 0;
            for (Shift s : shifts) {
                sum += s.people;
            }
            return sum;
        }
    }

    static class Template {
        private final List<Shift> shifts = new ArrayList<>();

        Template day(String name, int people) {
            shifts.add(new Shift(name, people));
            return this;
        }

        Week week(int number) {
            List<Shift> own = new ArrayList<>();
            for (Shift s : shifts) {
                boolean weekend = s.day.startsWith("s");
                own.add(weekend ? s : s.copy()); //@mark shared
            }
            return new Week(number, own);
        }
    }

    static class Planner {
        private final Map<Integer, Week> weeks = new LinkedHashMap<>();
        private final Template template;

        Planner(Template template) {
            this.template = template;
        }

        Week week(int number) {
            return weeks.computeIfAbsent(number, template::week);
        }

        void holiday(int number, String day) {
            Shift shift = week(number).on(day);
            shift.people = 0; //@mark holiday
        }

        void fair(int number, String day, int more) {
            week(number).on(day).people += more;
        }

        void trim(int most) {
            for (Week w : weeks.values()) {
                for (Shift s : w.shifts) {
                    if (s.people > most) {
                        s.people = most;
                    }
                }
            }
        }
    }

    public static void main(String[] args) {
        Template template = new Template().day("mon", 4).day("tue", 4).day("wed", 4).day("thu", 4).day("fri", 5).day("sat", 6).day("sun", 3);
        Planner planner = new Planner(template);
        for (int number = 1; number <= 8; number++) {
            planner.week(number);
        }
        planner.fair(2, "fri", 2);
        planner.holiday(5, "sat");
        planner.holiday(7, "mon");
        planner.trim(6);
        Week third = planner.week(3);
        int people = third.on("sat").people; //@mark seen
        if (people != 6) {
            System.out.println("week 3 has " + people + " people on Saturday, and " + third.people() + " in all"); //@mark short
        }
    }
}

package shop;

import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Service;

/** What customers have ordered. */
@Service
public class Orders {
    public record Line(String item, int cents, int count) {}

    public record Order(String customer, List<Line> lines) {}

    private final Map<Integer, Order> orders = Map.of(
        1, new Order("Ada", List.of(new Line("tea", 450, 2), new Line("milk", 125, 4))),
        2, new Order("Bob", List.of()));

    public Order find(int number) {
        return orders.get(number);
    }

    public int average(Order order) {
        int total = 0;
        for (Line line : order.lines()) {
            total += line.cents() * line.count();
        }
        return total / order.lines().size();
    }
}

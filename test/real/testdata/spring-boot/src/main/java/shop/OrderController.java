package shop;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class OrderController {
    public record Answer(String customer, int average) {}

    private final Orders orders;

    OrderController(Orders orders) {
        this.orders = orders;
    }

    @GetMapping("/orders/{number}")
    Answer order(@PathVariable int number) {
        Orders.Order order = orders.find(number);
        int average = orders.average(order);
        return new Answer(order.customer(), average);
    }
}

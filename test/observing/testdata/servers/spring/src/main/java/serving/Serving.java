package serving;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Answers over HTTP what an order costs, and counts what it was asked. */
@RestController
@SpringBootApplication
public class Serving {
    static int served;
    static long sum;

    static int price(int number, int discount) {
        int result = number * 20 - discount;
        return result;
    }

    @GetMapping("/price")
    public String serve(@RequestParam("number") int number) {
        int total = price(number, number % 3);
        synchronized (Serving.class) {
            sum += total; // known
            served++; // served
        }
        return Integer.toString(total);
    }

    @GetMapping("/count")
    public String count() {
        synchronized (Serving.class) {
            return served + " " + sum;
        }
    }

    public static void main(String[] args) {
        SpringApplication server = new SpringApplication(Serving.class);
        server.setDefaultProperties(Map.of("server.address", "127.0.0.1", "server.port", args[0]));
        server.run();
    }
}

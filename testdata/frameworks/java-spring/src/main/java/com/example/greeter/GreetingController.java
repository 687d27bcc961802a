package com.example.greeter;

import java.util.concurrent.atomic.AtomicLong;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class GreetingController {
    private final AtomicLong greeted = new AtomicLong();

    public record Greeting(long number, String text) {}

    @GetMapping("/greeting")
    public Greeting greet(@RequestParam(defaultValue = "nobody") String name) {
        String text = "Hello, " + name;
        return new Greeting(greeted.incrementAndGet(), text); // @mark reply
    }
}

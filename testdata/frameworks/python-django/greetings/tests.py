from django.test import SimpleTestCase


class GreetTests(SimpleTestCase):
    def test_word(self):
        response = self.client.get("/greet/Ada/?word=Bonjour")
        self.assertContains(response, "Bonjour, Ada")

    def test_default(self):
        self.assertContains(self.client.get("/greet/Bob/"), "Hello, Bob")

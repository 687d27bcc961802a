from django.http import HttpResponse


def greet(request, name):
    greeting = f"{request.GET.get('word', 'Hello')}, {name}"
    return HttpResponse(greeting)  # @mark greet

from django.urls import path

from greetings import views

urlpatterns = [path("greet/<str:name>/", views.greet)]

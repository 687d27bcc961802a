from django.http import JsonResponse
from django.urls import path


def shipping(request, country):
    weights = [int(w) for w in request.GET.getlist("weight")]
    cost = 5 * len(weights) + sum(weights) // 2
    return JsonResponse({"country": country, "weights": weights, "cost": cost})


urlpatterns = [path("shipping/<str:country>", shipping)]

# Which objects lie in the places that are asked about.
from .contents import COLLECTIONS
from .places import KEPT


class Held:
    """Which objects lie in the places that are asked about, to know them by other names."""

    def __init__(self):
        self.values = {}  # place: the object in it
        self.places = {}  # id of an object: {place: None}

    def put(self, place, value):
        self.drop(place)
        if not isinstance(value, COLLECTIONS):  # what other objects hold is asked about by its own name
            return
        self.values[place] = value  # keeps it alive, so that no other takes its identity
        self.places.setdefault(id(value), {})[place] = None
        if len(self.values) > KEPT:
            self.drop(next(iter(self.values)))

    def of(self, value):
        return list(self.places.get(id(value), ()))

    def drop(self, place):
        if place not in self.values:
            return
        key = id(self.values.pop(place))
        self.places[key].pop(place)
        if not self.places[key]:
            del self.places[key]

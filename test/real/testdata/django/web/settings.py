SECRET_KEY = "for tests only"
DEBUG = True
ALLOWED_HOSTS = ["*"]
INSTALLED_APPS = ["shop"]
ROOT_URLCONF = "shop.views"
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True

from django.db import migrations, models
import django.db.models.deletion


class Migration(migrations.Migration):
    initial = True
    operations = [
        migrations.CreateModel("Order", [
            ("id", models.BigAutoField(primary_key=True, serialize=False)),
            ("customer", models.CharField(max_length=50)),
        ]),
        migrations.CreateModel("Line", [
            ("id", models.BigAutoField(primary_key=True, serialize=False)),
            ("price", models.DecimalField(max_digits=8, decimal_places=2)),
            ("count", models.IntegerField(default=1)),
            ("order", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="lines", to="shop.order")),
        ]),
    ]

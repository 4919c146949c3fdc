#pragma once

extern "C" {
double bench_operator_0(double x, bool allocates);
double bench_operator_1(double x, bool allocates);
double bench_operator_2(double x, bool allocates);
double bench_operator_3(double x, bool allocates);
double bench_operator_4(double x, bool allocates);
double bench_operator_5(double x, bool allocates);
double bench_operator_6(double x, bool allocates);
double bench_operator_7(double x, bool allocates);

double bench_pass(double (*body)(long, bool), long operators, bool allocates);
}

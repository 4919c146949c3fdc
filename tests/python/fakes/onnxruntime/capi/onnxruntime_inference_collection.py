class Session:
    def run(self, output_names, input_feed, run_options=None):
        return [len(input_feed), run_options]

    def run_with_ort_values(self, output_names, input_dict_ort_values, run_options=None):
        return self.run(output_names, input_dict_ort_values, run_options)

    def run_with_iobinding(self, iobinding, run_options=None):
        raise ValueError(iobinding)


class InferenceSession(Session):
    pass

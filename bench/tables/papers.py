# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""The figures of the papers' tables, for the programs that ours are made after. They are as printed; '-' is what a table lacks."""

# Flanagan, Freund, Yi 2008, table 1: slow-downs with an empty tool and Velodrome; nodes allocated and most alive, without
# merging and with.
VELODROME_1 = {
    "elevator": ("1.1", "1.1", "174,000", "20", "170,000", "13"),
    "hedc": ("6.2", "6.3", "79", "37", "58", "4"),
    "tsp": ("30.9", "71.7", ">1,000,000", "8", "12,000", "1"),
    "sor": ("2.3", "2.9", "2,000", "2", "2", "2"),
    "moldyn": ("3.8", "4.5", "5", "4", "5", "4"),
    "montecarlo": ("1.6", "1.7", "410,000", "4", "300,000", "4"),
    "raytracer": ("4.5", "9.2", "128", "8", "23", "8"),
    "philo": ("1.0", "1.1", "34", "5", "34", "5"),
    "multiset": ("4.0", "4.4", "218,000", "8", "8", "8"),
    "web_log": ("8.6", "8.9", "470,000", "4", "395,000", "4"),
}

# Table 2: the Atomizer's warnings that are true, its false alarms; Velodrome's warnings, false alarms, missed.
VELODROME_2 = {
    "elevator": (5, 1, 5, 0, 0), "hedc": (6, 2, 6, 0, 0), "tsp": (8, 0, 8, 0, 0), "sor": (3, 0, 3, 0, 0),
    "moldyn": (4, 0, 4, 0, 0), "montecarlo": (6, 0, 6, 0, 0), "raytracer": (2, 3, 1, 0, 1),
    "philo": (2, 0, 2, 0, 0), "multiset": (5, 0, 5, 0, 0), "web_log": (24, 2, 22, 0, 2),
}
VELODROME_2_TOTAL = (154, 84, 133, 0, 21)

# Mathur, Viswanathan 2020, table 1: events, atomic?, seconds of Velodrome and AeroDrome, speed-up.
AERODROME_1 = {
    "elevator": ("280K", "yes", "162", "1.7", "97"), "hedc": ("9.8K", "no", "0.07", "0.06", "1.16"),
    "moldyn": ("1.7B", "no", "timeout", "54.9", "> 650"), "montecarlo": ("494M", "no", "timeout", "0.75", "> 48000"),
    "philo": ("613", "yes", "0.02", "0.02", "1"), "raytracer": ("2.8B", "yes", "timeout", "55m40s", "> 10.7"),
    "sor": ("608M", "no", "6.9", "9.6", "0.72"), "tsp": ("312M", "no", "4.2", "5.7", "0.73"),
}
# Table 2 (all methods but main and run): no program of it is among ours; its speed-ups lie between these.
AERODROME_2_RANGE = ("0.75", "3.98")

# Davida, tables IV to VI: detected violations of Velodrome and Davida; transactions with one; distinct witnesses; visited
# transactions; dependencies kept; skipped; the largest forest.
DAVIDA = {
    "sor": ("1", "1", "1", "1", "1", "1", "9", "2", "5", "2", "8", "12", "2"),
    "montecarlo": ("1,874", "2,154", "1,874", "2,154", "1,874", "2,154", "192,442", "5,163", "104,104", "8,028", "88,555",
                   "184,632", "5"),
    "elevator": ("6", "58", "6", "11", "6", "11", "2,912", "2", "3,809", "71", "11,448", "15,186", "4"),
    "tsp": ("1", "3", "1", "1", "1", "2", "41", "5", "36", "15", "20", "41", "17"),
}
# Table VII: memory of Velodrome and Davida, slow-downs of Velodrome, RegionTrack and Davida.
DAVIDA_7 = {
    "sor": ("1.45", "1.14", "1.00", "1.00", "1.00"), "montecarlo": ("1.11", "1.10", "2.98", "2.67", "2.89"),
    "elevator": ("1.17", "1.01", "1.02", "1.00", "1.00"), "tsp": ("1.27", "1.27", "4.09", "3.95", "4.08"),
}
DAVIDA_7_MEAN = ("1.57", "1.28", "5.08", "4.17", "4.43")

# Farzan, Madhusudan 2008, table 1: conflict graph (nodes, edges) and time; summarized one and time; violation?
FARZAN_1 = {
    "sor": ("600, 80K", "118 s", "3, 0", "0.5 s", "no"), "elevator": ("416, 26K", "0.97 s", "5, 2", "0.01 s", "yes"),
    "tsp": ("18, 109", "2.2 s", "4, 3", "1.0 s", "yes"), "raytracer": ("10, 90", "0.02 s", "10, 9", "0.02 s", "yes"),
}

# Wang, Stoller 2005, table 1: bugs-benign-false alarms and space of commit-node, reduction, block-based.
WANG_1 = {
    "elevator": ("0-2-0", "342", "0-2-0", "184", "0-2-0", "108"), "tsp": ("0-2-0", "3015", "0-2-0", "530", "0-2-0", "13474"),
    "sor": ("0-0-0", "90", "0-0-0", "64", "0-0-0", "3056"), "hedc": ("0-0-0", "892", "0-0-1", "349", "0-0-0", "1085"),
    "moldyn": ("0-0-0", "3819", "0-0-0", "810", "0-0-0", "132"),
    "montecarlo": ("0-0-0", "148", "0-0-0", "79", "0-0-0", "159"),
    "raytracer": ("2-0-0", "106", "2-0-0", "26", "2-0-0", "39"), "vector": ("4-4-0", "-", "4-4-10", "-", "4-4-0", "-"),
}

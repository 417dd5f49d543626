"""Files that stand in every decompiled package as they are here. They import nothing of tf2bridge."""

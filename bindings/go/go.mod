module msdk

go 1.19

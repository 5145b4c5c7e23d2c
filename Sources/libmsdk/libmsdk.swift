@_exported public import VCX

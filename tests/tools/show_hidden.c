/* show_hidden OBJECT: makes the hidden symbols of an object file visible, in place.
 *
 * The library is compiled with -fvisibility=hidden, so that calls inside it are direct. Test programs call its internal
 * functions, too, and share one library of them: of this object, linked with -Bsymbolic.
 */
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <unistd.h>

static int show(Elf *elf)
{
    GElf_Shdr header;
    GElf_Sym symbol;

    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        if (!gelf_getshdr(section, &header))
            return -1;
        if (header.sh_type != SHT_SYMTAB)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
            if (GELF_ST_BIND(symbol.st_info) == STB_LOCAL || GELF_ST_VISIBILITY(symbol.st_other) != STV_HIDDEN ||
                symbol.st_shndx == SHN_UNDEF)
                continue;
            symbol.st_other = STV_DEFAULT;
            if (!gelf_update_sym(data, i, &symbol))
                return -1;
        }
    }
    return elf_update(elf, ELF_C_WRITE) < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
    int fd = argc == 2 ? open(argv[1], O_RDWR) : -1;

    if (fd < 0) {
        perror(argc == 2 ? argv[1] : "show_hidden OBJECT");
        return 1;
    }
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_RDWR, NULL);
    elf_flagelf(elf, ELF_C_SET, ELF_F_LAYOUT);
    int status = elf ? show(elf) : -1;
    if (status)
        fprintf(stderr, "show_hidden: %s: %s\n", argv[1], elf_errmsg(-1));
    elf_end(elf);
    close(fd);
    return status ? 1 : 0;
}
